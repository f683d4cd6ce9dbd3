// Ids as people have them: whole, or six digits or more of their beginning or end, as a narrow table shows them. The whole id
// is found by looking; several that fit are shown, and none is chosen.
import { isUuid } from '../domain/contract/ids.ts'
import { wordOf } from './arguments.ts'
import { call, get } from './client.ts'
import { CommandFailed } from './failures.ts'
import { note } from './output.ts'
import type { Place } from './place.ts'

type List = {
  readonly path: string
  /** Of the reply. */
  readonly member: string
  /** Comes as one page. */
  readonly isWhole?: boolean
  /** The type under which the search knows them. */
  readonly type?: string
}
const TRANSFERS: List = { path: '/contracts/transfer', member: 'contracts', type: 'transfer' }
const PAYMENTS: List = { path: '/contracts/payment', member: 'contracts', type: 'payment' }

/** Where each is looked for. */
const LISTS = {
  transfer: [TRANSFERS],
  payment: [PAYMENTS],
  contract: [TRANSFERS, PAYMENTS],
  profile: [{ path: '/profiles', member: 'profiles', type: 'profile' }],
  policy: [{ path: '/policies', member: 'policies' }],
  schedule: [{ path: '/schedules', member: 'schedules' }],
  command: [{ path: '/commands', member: 'commands' }],
  wallet: [{ path: '/wallets', member: 'wallets' }],
  endpoint: [{ path: '/webhook-endpoints', member: 'webhook_endpoints', isWhole: true }],
  member: [{ path: '/members', member: 'members', isWhole: true }],
  verifier: [{ path: '/verifiers', member: 'verifiers', isWhole: true }],
  verification: [{ path: '/verifications', member: 'verifications' }],
} as const satisfies Readonly<Record<string, readonly List[]>>
export type Noun = keyof typeof LISTS

const DIGITS_LEAST = 6
const PAGE = 100
const LOOKED_AT_MOST = 1000
/** The search knows whole beginnings of so many digits (docs/resources.md). */
const SEARCHED_DIGITS = 8
const SHOWN_MOST = 10

/** The text as an id or a part of one; null where it is neither. */
export const readId = (text: string): string | null => {
  const id = text.toLowerCase()
  return isUuid(id) || digitsOf(id).length >= DIGITS_LEAST ? id : null
}

export const someId = wordOf(
  `Give an id, or ${DIGITS_LEAST} or more of the digits that it begins or ends with.`,
  readId,
)

/** "…6789abcd" is how a narrow table shows an id, and "0198c0de…" how a person writes one. Empty where it is none. */
function digitsOf(text: string): string {
  const digits = text.replace(/^(…|\.\.\.)|(…|\.\.\.)$/g, '').replaceAll('-', '')
  return /^[0-9a-f]{1,32}$/.test(digits) ? digits : ''
}

/** Whether the id is the one, or begins or ends so. */
export function fitsId(id: string, text: string): boolean {
  const [plain, digits] = [id.replaceAll('-', ''), digitsOf(text)]
  return digits !== '' && (plain.startsWith(digits) || plain.endsWith(digits))
}

type Found = { readonly id: string; readonly status?: string }
/** Verifiers of the gateway's own have no id. */
type Listed = Omit<Found, 'id'> & { readonly id: string | null }
type Page = Readonly<Record<string, readonly Listed[]>> & { readonly next?: string | null }

/** The id that is meant. Throws where none fits, and where several do. */
export async function wholeId(place: Place, noun: Noun, text: string): Promise<string> {
  if (isUuid(text)) return text
  const digits = digitsOf(text)
  const fitting = await fittingIds(place, noun, digits)
  const [only, ...others] = fitting
  if (!only) throw noneFits(noun, text)
  if (others.length > 0) throw severalFit(noun, text, fitting)
  note(`${text} is the ${noun} ${only.id}.`)
  return only.id
}

async function fittingIds(place: Place, noun: Noun, digits: string): Promise<Found[]> {
  const fits = ({ id }: Found) => fitsId(id, digits)
  const found = new Map<string, Found>()
  const lists: readonly List[] = LISTS[noun]
  for (const list of lists) for await (const each of newest(place, list)) if (fits(each)) found.set(each.id, each)
  for (const { type } of lists) {
    if (type === undefined || digits.length < SEARCHED_DIGITS) continue
    const asked = get('/search', { q: digits.slice(0, SEARCHED_DIGITS), type, limit: PAGE })
    const { results } = await call<{ results: readonly Found[] }>(place, asked)
    for (const each of results) if (fits(each) && !found.has(each.id)) found.set(each.id, each)
  }
  return [...found.values()]
}

async function* newest(place: Place, { path, member, isWhole = false }: List): AsyncGenerator<Found> {
  let after: string | undefined
  for (let seen = 0; seen < LOOKED_AT_MOST; seen += PAGE) {
    const page = await call<Page>(place, get(path, isWhole ? {} : { limit: PAGE, after }))
    for (const { id, ...rest } of page[member] ?? []) if (id !== null) yield { id, ...rest }
    if (!page.next) return
    after = page.next
  }
}

const noneFits = (noun: Noun, text: string) =>
  new CommandFailed(
    `No ${noun} of the newest ${LOOKED_AT_MOST} has an id that begins or ends with ${text}. Look for it: gateway find`,
  )

function severalFit(noun: Noun, text: string, fitting: readonly Found[]): CommandFailed {
  const lines = fitting.slice(0, SHOWN_MOST).map(({ id, status }) => `  ${id}${status ? `  ${status}` : ''}`)
  const more = fitting.length > SHOWN_MOST ? [`  and ${fitting.length - SHOWN_MOST} more`] : []
  return new CommandFailed(
    [`${fitting.length} ids fit ${text}. Give more digits of the ${noun} that is meant:`, ...lines, ...more].join('\n'),
  )
}
