// A write that is wanted once happens once, however often the button is clicked: what is under way is not sent again, and what
// nobody has answered for sure is sent again as the same request. Must not know what is written, nor how a screen shows it.
import { GatewayError } from '../../sdk/src/index.ts'

/** `key`: the idempotency key of the request that makes something, the same in each try of one wish. */
export type Write<Wanted, Done> = (wanted: Wanted, key: string) => Promise<Done>

/** Whether the gateway has refused it for good: with any other error it may have been done, or may be done yet. */
export const isRefused = (error: unknown): error is GatewayError => error instanceof GatewayError && error.isRefusal

/** What is under way, and the keys of what nobody has answered for sure, by what is wanted. */
type Unanswered = { readonly underWay: Map<string, Promise<unknown>>; readonly keys: Map<string, string> }

const nothing = (): Unanswered => ({ underWay: new Map(), keys: new Map() })

/** Of all that has a name: a dialog that is closed after an answer was lost, and opened again, asks for the same. */
const ofPage = nothing()

/**
 * Sends each wish once. A second click comes before the page has drawn a button that waits, and joins the first. One that comes after an
 * answer was lost has the key of the first; after a success or a refusal it is a new wish. Wishes are the same that are the same JSON, of
 * the same screen or, as long as the page is there, under the same name, such as “refund ID”: a name is of one kind of write.
 */
export function oneByOne<Wanted, Done>(name?: string): (write: Write<Wanted, Done>, wanted: Wanted) => Promise<Done> {
  const { underWay, keys } = name === undefined ? nothing() : ofPage
  const sent = async (write: Write<Wanted, Done>, wanted: Wanted, what: string): Promise<Done> => {
    const key = keys.get(what) ?? newKey()
    keys.set(what, key)
    try {
      const done = await write(wanted, key)
      keys.delete(what)
      return done
    } catch (error) {
      if (isRefused(error)) keys.delete(what)
      throw error
    } finally {
      underWay.delete(what)
    }
  }
  return (write, wanted) => {
    const what = JSON.stringify([name, wanted])
    const sending = (underWay.get(what) as Promise<Done> | undefined) ?? sent(write, wanted, what)
    underWay.set(what, sending)
    return sending
  }
}

/** A page that came over plain http has no randomUUID. */
const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
