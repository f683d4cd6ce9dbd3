// What the commands of both kinds of contract have in common: the options of a draft, a list and a cancel; get, list and
// watch.
import type { Command } from 'commander'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  currency,
  decimalNumber,
  durationSeconds,
  type JsonObject,
  jsonObject,
  metadataPair,
  uuid,
  wholeNumber,
} from '../arguments.ts'
import { call, get, type Place, placeOf } from '../client.ts'
import { apiCommand, argument, command, option, PLACE, type Values } from '../command.ts'
import { print, printJson } from '../output.ts'
import { printPage, type Shows, stateText } from '../view.ts'
import { type Activity, activityLine } from './contract-view.ts'

export const CONTRACT = argument('<id>', 'the contract', uuid)
export const REASON = { reason: option('<text>', 'why') }
export const IDEMPOTENCY = { idempotencyKey: option('<key>', 'makes a repetition harmless') }

/** What a draft may say. Flags are for the common fields; --data takes them all, and flags win. */
export const DRAFT = {
  amount: option('<decimal>', 'in major units, such as 1500 or 19.99', decimalNumber),
  currency: option('<code>', 'ISO 4217, such as PHP', currency),
  channel: option('<id>', 'the route of the money, such as sandbox or wallet'),
  description: option('<text>'),
  reference: option('<text>', 'your own reference (deliverable.reference_id)'),
  expiresIn: option('<duration>', 'such as 24h', durationSeconds),
  metadata: option('<name=value>', 'a pair of your own; may be given again', metadataPair),
  data: option('<json>', 'any fields of the API, as a JSON object', jsonObject),
}

/** The body of a draft with fields of its kind. Some objects are laid over those of --data, member by member. */
export function draftOf(options: Values<typeof DRAFT>, own: JsonObject): JsonObject {
  const { amount, currency: code, channel, description, reference, expiresIn, metadata, data = {} } = options
  const draft = given({ ...own, amount, currency: code, channel, description, expires_in: expiresIn })
  const parts = { recipient: own['recipient'], metadata, deliverable: { reference_id: reference } }
  const laidOver = Object.entries(parts).flatMap(([field, part]) => {
    const members = given(part as object | undefined)
    return Object.keys(members).length === 0 ? [] : [[field, { ...(data[field] as object | null), ...members }]]
  })
  return { ...data, ...draft, ...Object.fromEntries(laidOver) }
}

/** Without what is undefined. */
const given = (object: object = {}): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

/** Options of a list; `statuses` says which there are. */
const listOptions = (statuses: string) => ({
  status: option('<status>', `only those that are ${statuses}`),
  channel: option('<id>', 'only those of the channel'),
  currency: option('<code>', 'only those in the currency', currency),
  reference: option('<text>', 'only those with this reference of yours'),
  limit: option('<n>', 'at most so many, up to 100', wholeNumber),
  after: option('<cursor>', 'go on after the page that ended with this', uuid),
})

/** A kind of contract, as its commands read and show it. */
export type Kind<Contract extends object> = {
  readonly noun: 'transfers' | 'payments'
  readonly path: string
  readonly statuses: string
  readonly columns: Shows<Contract>
  readonly printWhole: (contract: Contract) => void
  /** The statuses that "watch" ends with. */
  readonly ends: readonly string[]
}
type Seen = { readonly status: string; readonly activities: readonly Activity[] }

export const getCommand = <Contract extends object>(
  { noun, path, printWhole }: Kind<Contract>,
  description: string,
): Command =>
  apiCommand('get', description, {
    examples: [`gateway ${noun} get 0198…`],
    arguments: [CONTRACT],
    call: (_, id) => get(`${path}/${id}`),
    print: ({ contract }: { readonly contract: Contract }) => printWhole(contract),
  })

export const listCommand = <Contract extends object>(
  { noun, path, statuses, columns }: Kind<Contract>,
  example: string,
): Command =>
  apiCommand('list', 'list contracts, newest first', {
    examples: [`gateway ${noun} list --status paid`, `gateway ${noun} list ${example} --json`],
    options: listOptions(statuses),
    call: ({ status, channel, currency: code, reference, limit, after }) =>
      get(path, { status, channel, currency: code, reference_id: reference, limit, after }),
    print: ({ contracts, next }: { readonly contracts: readonly Contract[]; readonly next: string | null }) =>
      printPage(contracts, columns, next, `${noun} list`),
  })

export const watchCommand = <Contract extends Seen>(kind: Kind<Contract>, description: string): Command =>
  command('watch', description, {
    examples: [`gateway ${kind.noun} watch 0198…`],
    arguments: [CONTRACT],
    options: PLACE,
    run: (options, id) => watch(placeOf(options), `${kind.path}/${id}`, kind, options.json === true),
  })

const POLL_MS = 500

/** Reads the contract again and again, and prints what is new in it, until its status is one of the ends. */
async function watch<Contract extends Seen>(
  place: Place,
  path: string,
  { ends }: Kind<Contract>,
  isJson: boolean,
): Promise<void> {
  let shown = 0
  for (;;) {
    const { contract } = await call<{ contract: Contract }>(place, get(path))
    for (const activity of contract.activities.slice(shown)) {
      if (isJson) printJson(activity)
      else print(activityLine(activity))
    }
    shown = contract.activities.length
    if (ends.includes(contract.status))
      return isJson ? printJson({ contract }) : print(`The contract is ${stateText(contract.status)}.`)
    await sleep(POLL_MS)
  }
}
