// The runs of schedules. A run is begun in the transaction that moves its schedule on, so that it is never begun twice; then it is
// leased and carried out step by step, each of which looks at how far the contract has got. Its contract's id follows from the
// schedule and the run's number, so that whoever takes over after a crash finds what was done.
import { scopesOf } from '../../domain/account/roles.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import { activityId } from '../../domain/contract/ids.ts'
import { isRefusal, type Problem, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { type Maker, paused, ran, type Run, RUN_SCOPES, type Schedule } from '../../domain/schedule/schedule.ts'
import type { TransferCommand } from '../../domain/transfer/commands.ts'
import type { ContractResult } from '../../engine/command-request.ts'
import type { Result, Row, Statement } from '../../platform/db.ts'
import { findApiKey, storedKeyFrom } from '../../store/accounts/callers.ts'
import { findMember, memberFrom } from '../../store/members/members.ts'
import {
  dueSchedules,
  findSchedule,
  insertRun,
  leaseRuns,
  recordRun,
  scheduleFrom,
} from '../../store/schedules/schedules.ts'
import { presentSchedule } from '../../wire/schedules/schedule.ts'
import { type AccountChange, changeAccount, type Changer, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'
import { draftOfSchedule } from './plans.ts'
import { writtenSchedule } from './schedules.ts'

export type RunDeps = Pick<Deps, 'changes' | 'channels' | 'contracts' | 'execute' | 'nowMs' | 'reader'> & {
  readonly lanes: readonly number[]
  readonly currencies: ReadonlySet<string>
}

const PAGE = 50
/** So long nobody else takes a run over. */
const LEASE_MS = 60_000

/** Begins what is due and carries out what was begun; how much there was to do. */
export async function scheduleRound(deps: RunDeps): Promise<number> {
  const [due] = await deps.reader.send([dueSchedules(deps.lanes, PAGE)])
  const schedules = (due?.rows ?? []).map(scheduleFrom)
  for (const schedule of schedules) await beginRun(deps, schedule)
  const [leased] = await deps.reader.send([leaseRuns(deps.lanes, PAGE, LEASE_MS)])
  const runs = leased?.rows ?? []
  await Promise.all(runs.map((row) => carryOut(deps, row)))
  return schedules.length + runs.length
}

/** The schedule as it stands is looked at again, while its account is held: another gateway may have been here. */
async function beginRun({ changes }: RunDeps, { lane, accountId, id, maker }: Schedule): Promise<void> {
  const actor = { kind: 'gateway', id: 'schedules', address: null, requestId: null } as const
  const changer: Changer = { lane, accountId, keyId: null, actor }
  const load = [findSchedule({ lane, accountId, id }), whoMade({ lane, accountId }, maker)]
  const answer = await changeAccount<null>(changes, changer, load, ([found, makers], { nowMs }) => {
    const [schedule] = (found?.rows ?? []).map(scheduleFrom)
    if (!schedule || schedule.nextAt === null || schedule.nextAt > nowMs) return unchanged(null)
    const isSame = schedule.maker.keyId === maker.keyId && schedule.maker.memberId === maker.memberId
    // Somebody changed it in this moment: the next look sees who.
    if (!isSame) return unchanged(null)
    if (mayRun(maker, makers)) return begun(schedule, nowMs)
    const rests = paused(schedule, 'maker_ended', nowMs)
    return isRefusal(rests) ? rests : { ...writtenSchedule(schedule, rests, 'paused', nowMs), value: null }
  })
  // It would stay due: the loop must pause instead of trying again at once.
  if (isRefusal(answer)) throw new Error(`a schedule that is due is refused: ${answer.code}`)
}

function whoMade({ lane, accountId }: Pick<Schedule, 'lane' | 'accountId'>, { keyId, memberId }: Maker): Statement {
  if (memberId !== null) return findMember({ lane, accountId, id: memberId })
  if (keyId !== null) return findApiKey(lane, keyId)
  throw new Error('a schedule that nobody made')
}

/** Whether whoever made the schedule could still do by hand what it does. */
function mayRun({ memberId }: Maker, found: Result | undefined): boolean {
  const row = found?.rows[0]
  if (!row) return false
  const scopes = memberId === null ? new Set<string>(storedKeyFrom(row).scopes) : memberScopes(row)
  return RUN_SCOPES.every((scope) => scopes.has(scope))
}

function memberScopes(row: Row): ReadonlySet<string> {
  const { status, role } = memberFrom(row)
  return status === 'active' ? scopesOf(role) : new Set()
}

function begun(schedule: Schedule, nowMs: number): AccountChange<null> {
  const after = ran(schedule, nowMs)
  const run: Run = {
    number: after.runs,
    dueAt: schedule.nextAt ?? nowMs,
    startedAt: nowMs,
    contractId: activityId(schedule.id, after.runs),
    status: 'running',
    problem: null,
  }
  const object = presentSchedule(after, [run], nowMs)
  const end = after.status === 'ended' ? writtenSchedule(schedule, after, 'ended', nowMs) : null
  const save = end?.statements ?? writtenSchedule(schedule, after, 'updated', nowMs).statements
  return {
    statements: [...save, insertRun(schedule, run)],
    audited: end?.audited ?? [],
    events: [{ type: 'schedule.run', object }, ...(end?.events ?? [])],
    value: null,
  }
}

const WAITS: ReadonlySet<string> = new Set(['approval_required', 'verification_required'])

async function carryOut(deps: RunDeps, row: Row): Promise<void> {
  const schedule = scheduleFrom(row)
  const [number, contractId] = [row['number'] as number, row['contract_id'] as string]
  const refused = await payOut(deps, schedule, contractId)
  // Somebody has to approve or verify it first: it is looked at again when the lease is over, until it is paid or has ended.
  if (refused && WAITS.has(refused.code)) return
  const status = refused === null ? 'paid' : 'failed'
  await deps.reader.send([recordRun(schedule, number, status, refused && problemOf(refused))])
}

const problemOf = ({ code, param, message }: Refusal): Problem => ({ code, param, message })

/** Makes, issues and pays the contract of a run; null once it is paid. A step that was done before is not done again. */
async function payOut(deps: RunDeps, schedule: Schedule, id: string): Promise<Refusal | null> {
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

async function draft(deps: RunDeps, schedule: Schedule, id: string): Promise<Contract | Refusal> {
  const made = await draftOfSchedule({ deps, currencies: deps.currencies }, schedule)
  if (isRefusal(made)) return made
  const { livemode } = schedule
  const command = { verb: 'create_transfer', id, livemode, pays: null, ...made } as const
  const result = await deps.execute({ ...requesterOf(schedule), idempotency: onceOnly(id), command })
  return isRefusal(result) ? result : (result as ContractResult).contract
}

async function step(deps: RunDeps, schedule: Schedule, command: TransferCommand): Promise<Contract | Refusal> {
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
