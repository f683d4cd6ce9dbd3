// The end of a story: every fault is over, rails tell the truth, and everything that was begun has to end.
import type { Contract } from '../../../src/domain/contract/contract.ts'
import type { Payment } from '../../../src/domain/payment/payment.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'
import { askAgain } from './callers.ts'
import { RAILS } from './channels.ts'
import { judgeProvider, mustHold } from './judge.ts'
import { contractsIn, dueJobs, sweep, tellEvent, tellNews, work } from './play.ts'
import { answerCall, giveUpLate, moveOrder } from './provider.ts'
import { beginBatch, commitBatch, type Life, settled, type World } from './world.ts'

const ROUNDS_MAX = 400
/** After so many rounds callers wait no longer for what nobody pays. */
const PATIENT_ROUNDS = 40
const HOUR_MS = 3_600_000
const ENDED = ['completed', 'cancelled', 'expired']

/** Lets everything end; what does not is a finding. */
export async function endAll(world: World): Promise<void> {
  const told = new Set<string>()
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await workOff(world)
    const [life] = world.lives
    if (!life) return
    for (const ask of world.asks) if (ask.answer === null && ask.life?.isOver !== false) askAgain(life, ask)
    for (const order of world.provider.orders.values()) if (order.state === 'accepted') moveOrder(order, 'delivered')
    judgeProvider(world)
    for (const event of world.provider.events) if (!told.has(event.id)) tellEvent(world, life, event)
    for (const event of world.provider.events) told.add(event.id)
    for (const order of world.provider.orders.values())
      if (order.state === 'returned') tellNews(world, life, order, false)
    sweep(world, life)
    for (const job of dueJobs(world, life)) work(world, life, job)
    await workOff(world)
    const open = contractsIn(world).filter(isOpen)
    if (open.length === 0 && isQuiet(world)) return
    for (const contract of open) decideFor(world, life, contract, round >= PATIENT_ROUNDS)
    await workOff(world)
    if (isQuiet(world)) passTime(world)
  }
  const left = contractsIn(world).filter(isOpen)
  const words = left.map(
    ({ id, kind, status, ...rest }) => `${kind} ${id} ${status} ${'execution' in rest ? rest.execution.status : ''}`,
  )
  mustHold(false, `everything ends: ${words.join(', ') || 'something is due for ever'}`)
}

/** Commits what waits and answers what is asked, until nothing more goes on by itself. */
async function workOff(world: World): Promise<void> {
  await settled()
  while (true) {
    const { provider, nowMs } = world
    for (const call of provider.calls.slice()) {
      if (call.isGivenUp) provider.calls.splice(provider.calls.indexOf(call), 1)
      else answerCall(provider, call, 'at once', nowMs)
    }
    await settled()
    for (const life of world.lives) beginBatch(world, life, 16)
    let isAnyDone = provider.calls.length > 0
    for (const life of world.lives) isAnyDone = (await commitBatch(world, life)) || isAnyDone
    if (!isAnyDone) return
  }
}

function isOpen(contract: Contract): boolean {
  if (!ENDED.includes(contract.status)) return true
  if (contract.kind === 'transfer') return false
  return contract.suspenseMinor > 0n || contract.refunds.some(({ status }) => status === 'open')
}

const isQuiet = (world: World) => world.lives.every((life) => dueJobs(world, life).length === 0)

/** On to the next moment at which something is due; an hour where nothing is. */
function passTime(world: World): void {
  const { tables, nowMs } = world
  const dues = [...tables.jobs.values()].flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]))
  const expiries = contractsIn(world).flatMap(({ status, expiresAt }) =>
    status === 'draft' || status === 'issued' ? [expiresAt] : [],
  )
  const next = [...dues, ...expiries].filter((moment) => moment > nowMs)
  world.nowMs = next.length === 0 ? nowMs + HOUR_MS : Math.min(...next)
  giveUpLate(world.provider, world.nowMs)
}

/** What callers and operators decide where the gateway waits for them, by the truth of the rails. */
function decideFor(world: World, life: Life, contract: Contract, isImpatient: boolean): void {
  const { lane, accountId, id, status } = contract
  const ask = (command: Parameters<Life['execute']>[0]['command']) =>
    void life.execute({ lane, accountId, keyId: null, idempotency: null, command })
  if (isImpatient && (status === 'draft' || status === 'issued'))
    ask({ verb: 'cancel', id, reason: null, actor: 'account' })
  else if (contract.kind === 'transfer') decideTransfer(world, contract, ask)
  else decidePayment(world, contract, ask)
}

type Ask = (command: Parameters<Life['execute']>[0]['command']) => void

function decideTransfer({ tables, provider, nowMs }: World, contract: Transfer, ask: Ask): void {
  const { id, accountId, status } = contract
  const job = tables.jobs.get(`${accountId}/${id}`)
  if (job?.kind !== 'payout') return
  const cancel = { verb: 'cancel', id, reason: null, actor: 'account' } as const
  if (status === 'returned' && job.dueAt === null) return ask(cancel)
  if (status !== 'paid') return
  if (job.status === 'failed') return ask(cancel)
  const lifetimeMs = RAILS[job.channelId]?.dedupeLifetimeMs ?? null
  const isForgotten = lifetimeMs !== null && job.submittedAt !== null && nowMs - job.submittedAt >= lifetimeMs
  const isOpen = job.status === 'unknown' || job.status === 'accepted'
  if (!isOpen || (job.dueAt !== null && !(isForgotten && job.status === 'unknown'))) return
  // Nothing of it is under way any more: what the rail has not taken by now it never will.
  const state = provider.orders.get(job.reference)?.state ?? 'failed'
  if (state === 'accepted') return
  ask({
    verb: 'resolve',
    id,
    as: state === 'failed' ? 'failed' : 'delivered',
    evidence: 'the statement',
    operator: 'Ana',
  })
}

function decidePayment(world: World, payment: Payment, ask: Ask): void {
  if (!payment.returnsHeld || payment.suspenseMinor === 0n) return
  const owner = world.owners.find(({ accountId }) => accountId === payment.accountId)
  if (!owner) return
  const route = { channelId: 'quick', recipient: { name: 'Ana Reyes' } }
  ask({ verb: 'return', id: payment.id, transferId: world.newId(owner, null), route, allowed: 'may pay' })
}
