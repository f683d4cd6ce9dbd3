// What must be true of files and schedules at the end of the day of a restore: each row and each run came to its end, and says so; no
// row is left as failed whose money went, for whoever mends what failed would send it again. Each finding is a sentence.
import type { Caller } from '../caller.ts'
import type { BulkIntent } from './bulk-intents.ts'
import { isKept, type Ordered } from './ledgers.ts'

/** A row of a file, or the run of a schedule. */
export type ShownRow = {
  readonly intent: number
  /** The command that did it, and the schedule that it is a run of. */
  readonly of: readonly string[]
  readonly name: string
  readonly status: string
  readonly contractId: string | null
  readonly error: string | null
}

type Told = {
  readonly command_id?: string | null
  readonly status: string
  readonly contract_id: string | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** What the gateway shows of what was asked for last. */
export async function rowsShown(callers: readonly Caller[], intents: readonly BulkIntent[]): Promise<ShownRow[]> {
  const all: ShownRow[] = []
  for (const intent of intents) {
    const caller = callers[intent.tenant]
    const told = caller ? await toldOf(caller, intent) : []
    for (const [at, { command_id: run, status, contract_id: contractId, error }] of told.entries())
      all.push({
        intent: intent.number,
        of: [intent.means === 'file' ? intent.commandId : intent.scheduleId, run].filter(
          (id) => typeof id === 'string',
        ),
        name: intent.rows[at]?.recipient.name ?? '',
        status,
        contractId,
        error: error && `${error.code}: ${error.message}`,
      })
  }
  return all
}

async function toldOf({ ask }: Caller, intent: BulkIntent): Promise<readonly Told[]> {
  if (intent.means === 'file') {
    if (intent.commandId === null) return []
    return ((await ask('GET', `/commands/${intent.commandId}/rows`)).data['rows'] ?? []) as readonly Told[]
  }
  if (intent.scheduleId === null) return []
  const { data } = await ask('GET', `/schedules/${intent.scheduleId}`)
  // One that was forgotten, and whose minute was over when it was made again, is not there.
  const shown = data['schedule'] as { readonly last_runs: readonly Told[] } | undefined
  return (shown?.last_runs ?? []).map((run) => ({ ...run, status: run.status === 'paid' ? 'done' : run.status }))
}

type Books = {
  readonly rows: readonly ShownRow[]
  readonly contracts: readonly { readonly id: string; readonly status: string }[]
  readonly orders: readonly Ordered[]
}

const TAKEN_BACK = new Set(['cancelled', 'returned'])
const ENDED = new Set(['completed', ...TAKEN_BACK])

export function bulkFindings({ rows, contracts, orders }: Books): string[] {
  const byId = new Map(contracts.map((contract) => [contract.id, contract]))
  const paid = new Set(orders.filter(isKept).map(({ name }) => name))
  return rows.flatMap(({ intent, name, status, contractId, error }) => {
    const contract = byId.get(contractId ?? '')
    if (status !== 'done') {
      // What came back before the row went on is to be sent again, by whoever mends what failed.
      if (status === 'failed' && contract && TAKEN_BACK.has(contract.status) && !paid.has(name)) return []
      const money = paid.has(name) ? ', and its money went' : ''
      return [`intent ${intent}, ${name} is ${status} (${error})${money}`]
    }
    if (!contract) return [`intent ${intent}, ${name} is done as ${contractId}, which is no contract`]
    return ENDED.has(contract.status) ? [] : [`intent ${intent}, ${name} stands as ${contractId} ${contract.status}`]
  })
}
