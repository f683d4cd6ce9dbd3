// Runs that were begun before runs were commands, by a release before or by a gateway that still runs it: carried out step by step,
// each of which looks at how far the contract has got, under the lease of the run. It goes with the releases that begin such runs.
import type { Contract } from '../../domain/contract/contract.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { isWaitedFor } from '../../domain/command/command.ts'
import { isRefusalOfRecovery } from '../../domain/recovery/epoch.ts'
import { othersOf } from '../../domain/account/writers.ts'
import { type Schedule, writersOfSchedule } from '../../domain/schedule/schedule.ts'
import type { PlainCommand } from '../../domain/transfer/commands.ts'
import type { ContractResult } from '../../engine/command-request.ts'
import type { Row } from '../../platform/db.ts'
import { leaseRuns, recordRun, scheduleFrom } from '../../store/schedules/schedules.ts'
import type { Deps } from '../deps.ts'
import { draftOfSchedule } from './plans.ts'

export type EarlierRunDeps = Pick<Deps, 'channels' | 'contracts' | 'execute' | 'nowMs' | 'reader'> & {
  readonly lanes: readonly number[]
  readonly currencies: ReadonlySet<string>
}

const PAGE = 50
/** So long nobody else takes a run over. */
const LEASE_MS = 60_000

/** Carries out what is due of them; how many there were. */
export async function earlierRunsRound(deps: EarlierRunDeps): Promise<number> {
  const [leased] = await deps.reader.send([leaseRuns(deps.lanes, PAGE, LEASE_MS)])
  const runs = leased?.rows ?? []
  await Promise.all(runs.map((row) => carryOut(deps, row)))
  return runs.length
}

async function carryOut(deps: EarlierRunDeps, row: Row): Promise<void> {
  const schedule = scheduleFrom(row)
  const [number, contractId] = [row['number'] as number, row['contract_id'] as string]
  const refused = await payOut(deps, schedule, contractId)
  if (isToWait(refused)) return
  const status = refused === null ? 'paid' : 'failed'
  await deps.reader.send([
    recordRun(
      schedule,
      number,
      status,
      refused && { code: refused.code, param: refused.param, message: refused.message },
    ),
  ])
}

/**
 * Somebody has to approve or verify it first, or a recovery has begun: it is looked at again when the lease is over, until it is paid or
 * has ended.
 */
const isToWait = (refused: Refusal | null): boolean =>
  refused !== null && (isWaitedFor(refused.code) || isRefusalOfRecovery(refused))

/** Makes, issues and pays the contract of a run; null once it is paid. A step that was done before is not done again. */
async function payOut(deps: EarlierRunDeps, schedule: Schedule, id: string): Promise<Refusal | null> {
  const { lane, accountId } = schedule
  let contract: Contract | Refusal =
    (await deps.contracts.submit({ lane, accountId, id })) ?? (await draft(deps, schedule, id))
  if (!isRefusal(contract) && contract.status === 'draft')
    contract = await step(deps, schedule, { verb: 'issue', id, preview: null })
  if (!isRefusal(contract) && contract.status === 'issued')
    contract = await step(deps, schedule, { verb: 'pay', id, preview: null, walletId: schedule.source })
  if (isRefusal(contract)) return contract
  if (contract.paidAt !== null) return null
  return refuse('contract_cancelled', 'id', `The contract was ${contract.status} before it was paid.`)
}

async function draft(deps: EarlierRunDeps, schedule: Schedule, id: string): Promise<Contract | Refusal> {
  const made = await draftOfSchedule({ deps, currencies: deps.currencies }, schedule)
  if (isRefusal(made)) return made
  const { livemode, maker } = schedule
  const writers = othersOf(writersOfSchedule(schedule), maker)
  const command = { verb: 'create_transfer', id, livemode, pays: null, ...made, writers } as const
  const result = await deps.execute({ ...requesterOf(schedule), idempotency: onceOnly(id), command })
  return isRefusal(result) ? result : (result as ContractResult).contract
}

async function step(deps: EarlierRunDeps, schedule: Schedule, command: PlainCommand): Promise<Contract | Refusal> {
  const result = await deps.execute({ ...requesterOf(schedule), idempotency: null, command })
  return isRefusal(result) ? result : (result as ContractResult).contract
}

/** A draft is made once, however many gateways take the run for theirs. */
const onceOnly = (id: string) => ({ keyHash: id, fingerprint: id })

const requesterOf = ({ lane, accountId, maker: { keyId, memberId } }: Schedule) => ({
  lane,
  accountId,
  keyId,
  memberId,
})
