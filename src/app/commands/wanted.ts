// What a new command says of what it does beside its rows: a filter or a dry run to take them from, what to export, and to which
// endpoint events are told again.
import { type CommandType, FILTERED, type Wanted } from '../../domain/command/command.ts'
import { ALL_EVENT_TYPES, readableTypes } from '../../domain/account/events.ts'
import {
  invalid,
  isRefusal,
  missing,
  type Problem,
  type Refusal,
  refuse,
  refuseAll,
} from '../../domain/contract/refusals.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { endpointNotFound } from '../../domain/webhook/endpoint.ts'
import type { CommandBody } from '../../wire/commands/commands.ts'
import type { Caller } from '../accounts/callers.ts'
import type { Deps } from '../deps.ts'
import { servedEndpoint } from '../webhooks/replays.ts'
import { findOne } from './commands.ts'
import { checkedFilter } from './filters.ts'

/** What of a body is looked at here. */
type Sent = Omit<CommandBody, 'description' | 'reference'>

/** What is wanted; null where rows alone are; or all that is wrong with it. */
export async function wantedIn(
  deps: Pick<Deps, 'reader'>,
  caller: Caller,
  sent: Sent,
): Promise<Wanted | null | Refusal> {
  const [first, ...others] = problemsOf(sent)
  if (first) return refuseAll([first, ...others])
  const { type } = sent
  const what = type === 'export' ? (sent.what ?? null) : null
  const endpoint = sent.webhook_endpoint?.toLowerCase() ?? null
  const unfit = (await endpointFault(deps, caller, endpoint)) ?? (await dryRunFault(deps, caller, sent))
  if (unfit) return unfit
  const asked = sent.filter ?? (what === null ? null : {})
  const filter = asked === null ? null : checkedFilter(type, what, asked)
  if (isRefusal(filter)) return filter
  const dryRunId = sent.dry_run_id?.toLowerCase() ?? null
  if (filter === null && dryRunId === null && endpoint === null) return null
  const format = what === null ? null : (sent.format ?? 'csv')
  const wanted: Wanted = { what, format, endpointId: endpoint, dryRunId, filter }
  return what === 'events' ? { ...wanted, types: typesIn(caller, wanted) } : wanted
}

/** Those that are asked for; without a word about them, those that the caller may be told of. */
function typesIn({ scopes }: Caller, { filter }: Wanted): readonly string[] {
  const asked = filter?.['types'] as readonly string[] | undefined
  return asked ? ALL_EVENT_TYPES.filter((type) => asked.includes(type)) : readableTypes(scopes)
}

const isSent = (value: unknown) => value !== undefined && value !== null

const SOURCES = ['rows', 'csv', 'filter', 'dry_run_id'] as const

function problemsOf(sent: Sent): Problem[] {
  const { type } = sent
  const problems: Problem[] = []
  const sources = SOURCES.filter((name) => isSent(sent[name]))
  if (sources.length > 1)
    problems.push(invalid(sources[1] ?? 'rows', `${sources.join(' and ')} say the same in two ways. Send one of them.`))
  if (isSent(sent.filter) && !FILTERED.has(type))
    problems.push(invalid('filter', `${type} makes what is not there yet: it takes rows, and no filter.`))
  const isExport = type === 'export'
  if (isExport) problems.push(...exportProblems(sent, sources))
  for (const name of ['what', 'format'] as const)
    if (!isExport && isSent(sent[name]))
      problems.push(invalid(name, `${name} is for export alone, and not for ${type}.`))
  const isReplay = type === 'events.replay'
  if (isReplay && !isSent(sent.webhook_endpoint))
    problems.push(missing('webhook_endpoint', 'Say which endpoint hears the events again: GET /webhook-endpoints.'))
  if (!isReplay && isSent(sent.webhook_endpoint))
    problems.push(invalid('webhook_endpoint', `webhook_endpoint is for events.replay alone, and not for ${type}.`))
  if (isSent(sent.dry_run_id) && sent.dry_run === true)
    problems.push(invalid('dry_run', 'With dry_run_id the rows of a dry run are done, not looked at again.'))
  if (sent.again === true && !isSent(sent.dry_run_id))
    problems.push(invalid('again', 'again is for the rows of a dry run alone: send dry_run_id with it.'))
  return problems
}

function exportProblems(sent: Sent, sources: readonly string[]): Problem[] {
  const problems: Problem[] = []
  if (!isSent(sent.what)) problems.push(missing('what', 'Say what to export: contracts, entries or events.'))
  const own = sources.filter((name) => name !== 'filter')
  for (const name of own) problems.push(invalid(name, `An export takes a filter, and no ${name}.`))
  if (sent.dry_run === true) problems.push(invalid('dry_run', 'An export changes nothing: it has no dry run.'))
  return problems
}

async function endpointFault(
  deps: Pick<Deps, 'reader'>,
  { lane, accountId }: Caller,
  id: string | null,
): Promise<Refusal | null> {
  if (id === null) return null
  const endpoint = isUuid(id) ? await servedEndpoint(deps, { lane, accountId, id }) : endpointNotFound()
  return isRefusal(endpoint) ? { ...endpoint, param: 'webhook_endpoint' } : null
}

/** Why the rows of a dry run cannot be taken; null where they can, or none are. */
async function dryRunFault(deps: Pick<Deps, 'reader'>, caller: Caller, sent: Sent): Promise<Refusal | null> {
  const id = sent.dry_run_id ?? null
  if (id === null) return null
  const dryRun = await findOne(deps, caller, id.toLowerCase())
  if (isRefusal(dryRun))
    return refuse('command_not_found', 'dry_run_id', 'No command of yours has the id that dry_run_id names.')
  if (dryRun.dryRun && dryRun.type === sent.type && dryRun.status === 'completed') return null
  const words = `dry_run_id must name a dry run of ${sent.type} that is completed. This is ${wordsOf(dryRun.type, dryRun.dryRun, dryRun.status)}.`
  return refuseAll([invalid('dry_run_id', words)])
}

const wordsOf = (type: CommandType, isDry: boolean, status: string) =>
  `${isDry ? 'a dry run' : 'a command'} of ${type}, ${status}`
