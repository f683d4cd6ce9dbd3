// Plays the steps of a story in its world: callers, workers, rails, payers, crashes and the clock.
import { passOn } from '../../../src/engine/crash-points.ts'
import { runCollection } from '../../../src/app/payments/collections.ts'
import { report, reportCallback, runPayout } from '../../../src/app/transfers/payouts.ts'
import { contractOfReference } from '../../../src/domain/contract/ids.ts'
import type { Contract } from '../../../src/domain/contract/contract.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { contractNamed, matchOf, paymentReportOf } from '../../../src/domain/payment/provider-events.ts'
import type { Job } from '../../../src/store/jobs/jobs.ts'
import { LEASE_MS } from './channels.ts'
import {
  askAbout,
  askAgain,
  askForPayment,
  askForTransfer,
  chooseMethod,
  deposit,
  misuseKey,
  paymentDeps,
} from './callers.ts'
import {
  answerCall,
  arrive,
  giveUpLate,
  moveOrder,
  newsOf,
  type Order,
  payAt,
  type ProviderEvent,
  tellOf,
} from './provider.ts'
import type { Step } from './story.ts'
import { beginBatch, commitBatch, crash, type Life, settled, type World } from './world.ts'

const at = <T>(all: readonly T[], pick: number): T | undefined => all[pick % Math.max(1, all.length)]

/** The contracts as they stand, in the order in which they were made. */
export const contractsIn = ({ tables }: World): Contract[] =>
  [...tables.heads].flatMap(([place, { position }]) => {
    const accountId = place.slice(0, place.indexOf('/'))
    return tables.versions.get(`${accountId}/${position}`)?.contract ?? []
  })

/** The contracts of which a request makes sense, the newest first. */
function fitting(world: World, verb: 'mend' | 'issue' | 'pay' | 'cancel' | 'retry' | 'refund' | 'choose'): Contract[] {
  const isFit: Readonly<Record<typeof verb, (contract: Contract) => boolean>> = {
    mend: ({ status }) => status === 'draft',
    issue: ({ status }) => status === 'draft',
    pay: ({ kind, status }) => kind === 'transfer' && status === 'issued',
    cancel: ({ status }) => status !== 'cancelled' && status !== 'expired',
    retry: (contract) => contract.kind === 'transfer' && contract.execution.status === 'failed',
    choose: ({ kind, status }) => kind === 'payment' && status === 'issued',
    refund: (contract) => contract.kind === 'payment' && contract.paidMinor > contract.refundedMinor,
  }
  return contractsIn(world).filter(isFit[verb]).toReversed()
}

export async function play(world: World, step: Step): Promise<void> {
  if ('life' in step) {
    const life = at(world.lives, step.life)
    if (life) await playAt(world, life, step)
  } else playOutside(world, step)
  await settled()
}

async function playAt(world: World, life: Life, step: Extract<Step, { readonly life: number }>): Promise<void> {
  switch (step.do) {
    case 'begin':
      beginBatch(world, life, step.most)
      return
    case 'commit':
      await commitBatch(world, life)
      return
    case 'run':
      beginBatch(world, life, 100)
      await commitBatch(world, life)
      return
    case 'crash':
      return crash(world, life, step.when)
    case 'work': {
      const job = at(dueJobs(world, life), step.job)
      if (job) work(world, life, job)
      return
    }
    case 'sweep':
      // A sweeper whose clock is ahead asks for contracts whose time has not come.
      return sweep(world, life, Number.POSITIVE_INFINITY)
    case 'news': {
      const order = at([...world.provider.orders.values()], step.order)
      if (order) tellNews(world, life, order, step.isCallback)
      return
    }
    case 'tell': {
      const event = at(world.provider.events, step.event)
      if (event) tellEvent(world, life, event)
      return
    }
    case 'deposit': {
      const owner = at(world.owners, step.owner)
      if (owner) deposit(life, owner, `deposit ${step.owner % 2}`)
      return
    }
    case 'misuse': {
      const ask = at(world.asks, step.ask)
      if (ask) misuseKey(life, ask)
      return
    }
    case 'again': {
      const ask = at(world.asks, step.ask)
      if (ask) askAgain(life, ask)
      return
    }
    case 'choose': {
      const payment = at(fitting(world, step.do), step.contract)
      if (payment) chooseMethod(world, life, payment, step.kind)
      return
    }
    case 'mend':
    case 'issue':
    case 'pay':
    case 'cancel':
    case 'retry':
    case 'refund': {
      // Most callers know what they do; some ask for what cannot be.
      const contract = at(step.contract % 8 === 0 ? contractsIn(world) : fitting(world, step.do), step.contract)
      if (contract) askAbout(world, life, contract, step)
    }
  }
}

function playOutside(world: World, step: Exclude<Step, { readonly life: number }>): void {
  const { provider, nowMs } = world
  switch (step.do) {
    case 'create':
    case 'create payment': {
      const [owner, life] = [at(world.owners, step.owner), at(world.lives, step.owner)]
      if (!owner || !life) return
      if (step.do === 'create') askForTransfer(world, life, owner, step)
      else askForPayment(world, life, owner, step)
      return
    }
    case 'rail':
    case 'arrive': {
      const call = at(provider.calls, step.call)
      if (!call) return
      if (step.do === 'rail' && !call.isGivenUp) answerCall(provider, call, step.word, nowMs)
      else arrive(provider, call, step.word, nowMs)
      return
    }
    case 'move': {
      const order = at([...provider.orders.values()], step.order)
      if (order) moveOrder(order, step.to)
      return
    }
    case 'payer': {
      const desk = at([...provider.desks.values()], step.desk)
      if (!desk) return
      if (step.acts === 'processing' || step.acts === 'failed') return tellOf(provider, desk, step.acts)
      const { amountMinor } = desk.order
      const minor =
        step.acts === 'pays a part' ? amountMinor / 2n : step.acts === 'pays more' ? amountMinor + 100n : amountMinor
      return payAt(provider, desk, minor, step.acts === 'pays late')
    }
    case 'wait':
      world.nowMs += step.ms
      giveUpLate(provider, world.nowMs)
  }
}

/** What is due and not being worked on by this gateway. */
export function dueJobs({ tables, nowMs }: World, life: Life): Job[] {
  return [...tables.jobs.values()].filter(
    ({ dueAt, contractId }) => dueAt !== null && dueAt <= nowMs && !life.working.has(contractId),
  )
}

/** Runs a job as the scheduler does. */
export function work(world: World, life: Life, job: Job): void {
  const { execute, connectors, working } = life
  working.add(job.contractId)
  const payments = paymentDeps(life)
  const deps = { execute, connectors, freezes: payments.freezes, leaseMs: LEASE_MS, crashPoint: passOn }
  const run = job.kind === 'payout' ? runPayout(deps, job) : runCollection({ execute, payments }, job)
  void run.finally(() => working.delete(job.contractId))
}

/** What the sweeper does: contracts whose time has passed end. */
export function sweep(world: World, life: Life, atMs = world.nowMs): void {
  for (const { lane, accountId, id, status, expiresAt } of contractsIn(world))
    if ((status === 'draft' || status === 'issued') && expiresAt <= atMs)
      void life.execute({ lane, accountId, keyId: null, idempotency: null, command: { verb: 'expire', id } })
}

/** What the rail says of an order by itself: in its list, or in a callback. */
export function tellNews(world: World, life: Life, order: Order, isCallback: boolean): void {
  const outcome = newsOf(order)
  const named = contractOfReference(order.reference)
  const connector = life.connectors.get(order.channelId)
  const contract = contractsIn(world).find(({ id }) => id === named?.contractId)
  if (!outcome || !named || !connector || !contract) return
  const { lane, accountId } = contract
  const attempt = { lane, accountId, contractId: named.contractId, number: named.number, channelId: order.channelId }
  const deps = { execute: life.execute, crashPoint: passOn }
  void (isCallback
    ? reportCallback(deps, connector, attempt, outcome)
    : report(deps, connector, attempt, null, outcome))
}

/** Takes an event in as app/payments/provider-events.ts does, with names looked up in maps. */
export function tellEvent(world: World, life: Life, event: ProviderEvent): void {
  const { id, type } = event
  const told = paymentReportOf(event)
  const named = told && contractNamed(told.names)
  const owner = contractsIn(world).find((each) => each.id === named)
  if (!told || !named || !owner) return
  const { lane, accountId } = owner
  const kept = { id, type, body: JSON.stringify({ data: { object: event.object } }), bodyHash: hashOf(id) }
  const common = { verb: 'receive', event: kept, unallocated: 'suspense', allowedChannels: null } as const
  const receive = (command: Parameters<Life['execute']>[0]['command']) =>
    life.execute({ lane, accountId, keyId: null, idempotency: null, command })
  const report = { ...told.report, attempt: null }
  void receive({ ...common, id: named, names: told.names, report }).then((result) => {
    if (isRefusal(result) || !('reception' in result) || result.reception !== 'names_not_found') return
    const providerId = told.names.providerId ?? ''
    const intent = world.tables.providerIds.get(`${accountId}/${providerId}`)
    const known = {
      payments: new Set([named]),
      intent: intent ? { contractId: intent.contractId, number: intent.attempt } : null,
      byReference: [],
    }
    const match = matchOf(told.names, known)
    void receive({ ...common, id: match?.contractId ?? null, report: { ...report, attempt: match?.attempt ?? null } })
  })
}

/** The same bytes have the same hash. */
const hashOf = (id: string) => `00000000-0000-4000-8000-${Buffer.from(id).toString('hex').slice(-12).padStart(12, '0')}`
