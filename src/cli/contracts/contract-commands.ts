// What the commands of both kinds of contract have in common: the options of a draft, a list and a cancel; get, list and
// watch.
import type { Command } from 'commander'
import { setTimeout as sleep } from 'node:timers/promises'
import { currency, decimalNumber, durationSeconds, type JsonObject, jsonObject, metadataPair } from '../arguments.ts'
import { call, get, looking } from '../client.ts'
import { type Place, placeOf } from '../place.ts'
import { apiCommand, command, idArgument, option, PLACE, type Values } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { listCommand } from '../list.ts'
import { moment } from '../times.ts'
import { type Shows, stateText } from '../view.ts'
import { type Activity, activityLine } from './contract-view.ts'

export const TRANSFER_ID = idArgument('<id>', 'the contract', 'transfer')
export const PAYMENT_ID = idArgument('<id>', 'the contract', 'payment')
export const REASON = { reason: option('<text>', 'why') }
export const IDEMPOTENCY = { idempotencyKey: option('<key>', 'makes a repetition harmless') }

/** What a draft may say. Flags are for the common fields; --data takes them all, and flags win. */
export const DRAFT = {
  amount: option('<decimal>', 'in major units, such as 1500 or 19.99', decimalNumber),
  currency: option('<code>', 'ISO 4217, such as PHP', currency),
  channel: option('<id>', 'the route of the money, such as sandbox or wallet'),
  description: option('<text>', 'what the contract is about'),
  issuedTo: option('<text>', 'to whom it is issued: a profile of yours, or any text (default: the recipient)'),
  reference: option('<text>', 'your own reference (deliverable.reference_id)'),
  purpose: option('<type>', 'what is paid for: order, invoice, salary, remittance, … (deliverable.type)'),
  purposeText: option('<text>', 'the same in words (deliverable.description)'),
  purposeDetails: option('<text>', 'anything more about it (deliverable.details)'),
  expiresIn: option('<duration>', 'such as 24h', durationSeconds),
  metadata: option('<name=value>', 'a pair of your own; may be given again', metadataPair),
  data: option('<json>', 'any fields of the API, as a JSON object', jsonObject),
}

/** The body of a draft with fields of its kind. Some objects are laid over those of --data, member by member. */
export function draftOf(options: Values<typeof DRAFT>, own: JsonObject): JsonObject {
  const { amount, currency: code, channel, description, issuedTo, expiresIn, metadata, data = {} } = options
  const draft = given({
    ...own,
    amount,
    currency: code,
    channel,
    description,
    issued_to: issuedTo,
    expires_in: expiresIn,
  })
  const { reference, purpose, purposeText, purposeDetails } = options
  const deliverable = {
    reference_id: reference,
    type: purpose,
    description: purposeText,
    details: purposeDetails,
  }
  const parts = { recipient: own['recipient'], metadata, deliverable }
  const laidOver = Object.entries(parts).flatMap(([field, part]) => {
    const members = given(part as object | undefined)
    return Object.keys(members).length === 0 ? [] : [[field, { ...(data[field] as object | null), ...members }]]
  })
  return { ...data, ...draft, ...Object.fromEntries(laidOver) }
}

/** Without what is undefined. */
const given = (object: object = {}): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

/** What a list may be narrowed by; `statuses` says which there are. */
const filters = (statuses: string) => ({
  status: option('<status>', `only those that are ${statuses}`),
  channel: option('<id>', 'only those of the channel'),
  currency: option('<code>', 'only those in the currency', currency),
  reference: option('<text>', 'only those with this reference of yours'),
  from: option('<decimal>', 'only those of at least so much, with --currency'),
  to: option('<decimal>', 'only those of at most so much, with --currency'),
  profile: option('<id>', 'only those to this profile, or issued to it'),
  since: option('<time>', 'only those made from then on: a day, a time, or how long ago, such as 24h', moment),
  until: option('<time>', 'only those made until then, the day included', moment),
})

/** A kind of contract, as its commands read and show it. */
export type Kind<Contract extends object> = {
  readonly noun: 'transfers' | 'payments'
  readonly path: string
  readonly statuses: string
  readonly columns: Shows<Contract>
  /** The columns of CSV, as the API names them. */
  readonly csv: readonly string[]
  readonly printWhole: (contract: Contract) => void
  /** The statuses that "watch" ends with. */
  readonly ends: readonly string[]
}

/** The argument that names a contract of the kind. */
export const idOf = (noun: Kind<object>['noun']) => (noun === 'transfers' ? TRANSFER_ID : PAYMENT_ID)

type Seen = { readonly status: string; readonly activities: readonly Activity[] }

export const getCommand = <Contract extends object>(
  { noun, path, printWhole }: Kind<Contract>,
  description: string,
): Command =>
  apiCommand('get', description, {
    examples: [`gateway ${noun} get 0198…`],
    arguments: [idOf(noun)],
    call: (_, id) => get(`${path}/${id}`),
    print: ({ contract }: { readonly contract: Contract }) => printWhole(contract),
  })

export const contractList = <Contract extends object>(
  { noun, path, statuses, columns, csv }: Kind<Contract>,
  example: string,
): Command =>
  listCommand<Contract, [], ReturnType<typeof filters>>('list', 'list contracts, newest first', {
    examples: [
      `gateway ${noun} list --status paid`,
      `gateway ${noun} list ${example} --json`,
      `gateway ${noun} list --since 2026-11-01 --until 2026-11-30 --all --csv > november.csv`,
    ],
    options: filters(statuses),
    member: 'contracts',
    columns,
    csv,
    call: ({ status, channel, currency: code, reference, from, to, profile, since, until }) =>
      get(path, {
        status,
        channel,
        currency: code,
        reference_id: reference,
        amount_from: from,
        amount_to: to,
        profile,
        created_from: since?.first(),
        created_to: until?.last(),
      }),
  })

export const watchCommand = <Contract extends Seen>(kind: Kind<Contract>, description: string): Command =>
  command('watch', description, {
    examples: [`gateway ${kind.noun} watch 0198…`],
    arguments: [idOf(kind.noun)],
    options: PLACE,
    notes: 'Exit code 1 where it ends without the money: cancelled, expired or returned.',
    run: (options, id) => watch(placeOf(options), `${kind.path}/${id}`, kind, options.json === true),
    failed: ({ status }) => !MONEY_CAME.includes(status),
  })

/** Of the statuses that "watch" ends with. */
const MONEY_CAME: readonly string[] = ['paid', 'completed']

const POLL_MS = 500

/** Reads the contract again and again, and prints what is new in it, until its status is one of the ends; as it is then. */
async function watch<Contract extends Seen>(
  place: Place,
  path: string,
  { ends }: Kind<Contract>,
  isJson: boolean,
): Promise<Contract> {
  let shown = 0
  const look = looking<{ contract: Contract }>(place, get(path), note)
  // Where there is none at first, the address may be wrong: that is said at once.
  let found = await call<{ contract: Contract }>(place, get(path))
  for (;;) {
    const { contract } = found
    for (const activity of contract.activities.slice(shown)) {
      if (isJson) printJson(activity)
      else print(activityLine(activity))
    }
    shown = contract.activities.length
    if (ends.includes(contract.status)) {
      if (isJson) printJson({ contract })
      else print(`The contract is ${stateText(contract.status)}.`)
      return contract
    }
    await sleep(POLL_MS)
    found = (await look()) ?? found
  }
}
