// The filters of commands: the parameters of the list concerned, as a query would have them, in JSON. Read when a command is made,
// and again by whoever works on it.
import Type, { IsArray, type Static, type TObject, type TProperties } from 'typebox'
import type { CommandType, Exported } from '../../domain/command/command.ts'
import { invalid, isRefusal, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { PAYMENT_STATUSES } from '../../domain/payment/moves.ts'
import { TRANSFER_STATUSES } from '../../domain/transfer/moves.ts'
import { EventsQuery } from '../../wire/events.ts'
import { closed, moment, oneOrMore, uuid } from '../../wire/shapes.ts'
import { ContractQuery } from '../../wire/transfer-requests.ts'
import { EntriesQuery } from '../../wire/wallets/wallets.ts'
import { contractFilter, type ContractsAsked } from '../contracts/listing.ts'
import { readerOf } from '../contracts/validation.ts'

const { after: _, limit: __, ...CONTRACTS } = ContractQuery.properties
const { contract_id, account, from, to } = EntriesQuery.properties

const TransfersFilter = closed(CONTRACTS)
const ContractsFilter = closed({
  ...CONTRACTS,
  kind: Type.Optional(Type.Enum(['transfer', 'payment'])),
  status: Type.Optional(oneOrMore([...new Set([...TRANSFER_STATUSES, ...PAYMENT_STATUSES])])),
})
const EntriesFilter = closed({
  wallet: Type.Optional(uuid('One wallet; by default all.')),
  contract_id,
  account,
  from,
  to,
})
const EventsFilter = closed({ types: EventsQuery.properties.types })
const ReplayFilter = closed({
  from: moment('From then on.'),
  to: moment('Until then, included.'),
  missed: Type.Optional(Type.Boolean()),
})

type Filter = Readonly<Record<string, unknown>>

/** A filter as it is kept: each list as one, and numbers as text. */
type Reads<S extends TObject> = (filter: Filter) => { readonly read: Static<S> } | Refusal

function filterReader<P extends TProperties>(schema: TObject<P>): Reads<TObject<P>> {
  const read = readerOf(schema)
  const lists = new Set(Object.entries(schema.properties).flatMap(([name, shape]) => (IsArray(shape) ? [name] : [])))
  return (filter) => {
    const members = Object.entries(filter).filter(([, value]) => value !== null)
    const result = read(Object.fromEntries(members.map(([name, value]) => [name, asQueried(value, lists.has(name))])))
    return isRefusal(result) ? underFilter(result) : result
  }
}

function asQueried(value: unknown, isList: boolean): unknown {
  if (isList && (typeof value === 'string' || Array.isArray(value)))
    return [value].flat().flatMap((each) => String(each).split(','))
  return typeof value === 'number' ? String(value) : value
}

/** Each problem is named by its place in the body. */
function underFilter({ problems, code, param, message }: Refusal): Refusal {
  const within = (problem: Problem): Problem => ({ ...problem, param: `filter.${problem.param ?? ''}` })
  const [first, ...others] = problems
  return refuseAll([within(first ?? { code, param, message }), ...others.map(within)])
}

export const readTransfersFilter = filterReader(TransfersFilter)
export const readContractsFilter = filterReader(ContractsFilter)
export const readEntriesFilter = filterReader(EntriesFilter)
export const readEventsFilter = filterReader(EventsFilter)
export const readReplayFilter = filterReader(ReplayFilter)

const READERS: Readonly<Record<Exported, Reads<TObject>>> = {
  contracts: readContractsFilter,
  entries: readEntriesFilter,
  events: readEventsFilter,
}

/** Whether a filter can be understood: itself as it is kept, or why it is refused. */
export function checkedFilter(type: CommandType, what: Exported | null, filter: Filter): Filter | Refusal {
  const reader = type === 'events.replay' ? readReplayFilter : what === null ? readTransfersFilter : READERS[what]
  const result = reader(filter)
  if (isRefusal(result)) return result
  if (reader === READERS.contracts || reader === readTransfersFilter) {
    const means = contractFilter(null, result.read as ContractsAsked, { after: null, limit: 1 })
    if (isRefusal(means)) return underFilter(means)
  }
  const { from: begin, to: end } = result.read as { readonly from?: string; readonly to?: string }
  if (begin !== undefined && end !== undefined && Date.parse(begin) > Date.parse(end))
    return refuseAll([invalid('filter.from', 'from is after to. Give a moment before it.')])
  return result.read as Filter
}

/** Which statuses are meant where a filter names none: those in which the step can be done. */
export const STATUSES_TO_MOVE: Readonly<Partial<Record<CommandType, readonly string[]>>> = {
  'transfers.issue': ['draft'],
  'transfers.pay': ['issued'],
  'transfers.cancel': ['draft', 'issued'],
}
