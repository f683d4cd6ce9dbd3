// Where sagas of money that comes in are played that a process dies in: like saga-stage.ts, with payers who use the pages of
// the provider. Brings a contract to a stage, lets a process die, heals, and compares with the provider's books.
import { openFreezes } from '../../../src/app/jobs/freezes.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCollection } from '../../../src/app/payments/collections.ts'
import { payByWallet } from '../../../src/app/payments/wallet-payments.ts'
import { findPayment } from '../../../src/app/payments/payments.ts'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import type { Collects, Connector } from '../../../src/connectors/connector.ts'
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { JOB_COLUMNS, jobFrom } from '../../../src/store/jobs/jobs.ts'
import { openLog } from '../../../src/platform/log.ts'
import { openScheduler, type Scheduler } from '../../../src/workers/scheduler.ts'
import { type Caller, type Method, openWorld, type World } from '../../world.ts'
import type { CrashCase } from './crash-cases.ts'
import type { BesideProcess } from '../gateway-beside.ts'
import type { PaymentSagaKind, PaymentStage } from './payment-saga-kinds.ts'
import { type CrashStage, endOf, healed, openVictims, type Victims } from './victims.ts'
import { lapsed } from '../payments/lapsed.ts'

type Saga = { readonly name: string; readonly id: string; readonly kind: PaymentSagaKind }

type Work = {
  readonly world: World
  readonly start: Victims['start']
  /** Another account, which pays from its wallet. */
  readonly payer: Caller
  readonly opening: { readonly merchant: number; readonly payer: number }
  readonly scheduler: Scheduler
  readonly sagas: Saga[]
  count: number
}

/** What of a payment contract is looked at here. */
type Shown = {
  readonly status: string
  readonly attempts: readonly { readonly number: number; readonly status: string; readonly reference: string }[]
  readonly next_action: { readonly url?: string } | null
  readonly amount_in_suspense: number
  readonly refunds: readonly { readonly transfer_id: string; readonly status: string }[]
  readonly cancellation: { readonly status: string } | null
}

const AMOUNT = 100
const TIMES = { callTimeoutMs: 1000, leaseMs: 2100 }
const HEALS_WITHIN_MS = 120_000
// Longer than a call takes, so that no lease is cut short while its holder is at work.
const HURRY_EVERY_MS = 1000

const CHANNELS = SHIPPED_CHANNELS.filter(({ id }) => id === 'wallet' || id === 'gcash').map((channel) => ({
  ...channel,
  undo_seconds: 0,
  collect: channel.collect && { ...channel.collect, settle_after_seconds: 0, currencies: { PHP: {} } },
}))

/** Opens a stage for gateways of this compiled program. */
export async function openPaymentSagaStage(program: string): Promise<CrashStage<PaymentSagaKind>> {
  const channels = CHANNELS.map(({ collect, ...channel }) => (collect ? { ...channel, collect } : channel))
  const world = await openWorld({ workers: 'resting', config: { channels, ...TIMES } })
  const { start, close } = openVictims(program, world, { channels, ...TIMES })
  const payer = await world.newCaller()
  const { deps } = world.gateway
  const work: Work = {
    world,
    start,
    payer,
    opening: { merchant: await world.caller.balance('PHP'), payer: await payer.balance('PHP') },
    scheduler: openScheduler({
      ...deps,
      ...deps.payments,
      freezes: openFreezes(deps.reader, () => performance.now()),
      inFlightPerChannel: 32,
      log: openLog('fatal'),
    }),
    sagas: [],
    count: 0,
  }
  return {
    play: (which) => play(work, which),
    heal: () =>
      healed(
        work,
        () => untilEnded(work),
        () => comparison(work),
      ),
    close,
  }
}

async function play(work: Work, { kind, leg, point }: CrashCase<PaymentSagaKind>): Promise<string[]> {
  const name = `${kind.name}, ${leg.from}: ${point}`
  const { data } = await work.world.caller.ask('POST', '/contracts/payment', {
    body: { amount: AMOUNT, currency: 'PHP' },
  })
  const saga = { name, id: (data['contract'] as { id: string }).id, kind }
  work.sagas.push(saga)
  const reference = await prepared(work, saga, leg.from)
  work.count += 1
  const about = point.endsWith('a batch is committed') ? saga.id : reference
  const process = await work.start(`victim-${work.count}`, `${point}: ${about}`)
  await request(work, saga, leg.from, process)
  const end = await endOf(process, HURRY_EVERY_MS, () => hurry(work, [saga.id]))
  return end === 'SIGKILL' ? [] : [`${name}: it did not die there (${end}); ${JSON.stringify(await shown(work, saga))}`]
}

/** Brings a contract to its stage; the reference of what is worked on from there. */
async function prepared(work: Work, saga: Saga, stage: PaymentStage): Promise<string> {
  const own = attemptReference(saga.id, 1)
  if (stage === 'issued, then paid') return own
  if (stage === 'paid from a wallet') return attemptReference(await payFromWallet(work, saga), 1)
  await choose(work, saga)
  if (stage === 'open, then cancelled') return own
  if (stage === 'open and cancelled') {
    // Asked for where no rail is reached, so that the cancellation is pending.
    const { deps } = work.world.gateway
    const { lane, accountId } = work.world.caller.account
    const command = { verb: 'cancel', id: saga.id, reason: null, actor: 'account' } as const
    await deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
    return own
  }
  const { next_action: page } = await shown(work, saga)
  if (stage === 'paid at the rail too late' || stage === 'return begun') {
    await lapse(work, saga)
    await givenUp(work, saga)
  }
  await payAt(page?.url)
  if (stage === 'paid at the rail, and heard of too late') await lapse(work, saga)
  if (stage.startsWith('paid at the rail')) {
    await hurry(work, [saga.id])
    return own
  }
  await tended(work, saga, ({ status }) => status === saga.kind.ends)
  if (stage === 'paid, then refunded') return own
  if (stage === 'refund begun') await refund(work, saga)
  const { refunds } = await tended(work, saga, (contract) => contract.refunds.length > 0)
  return attemptReference(refunds[0]?.transfer_id ?? '', 1)
}

/** Lets the contract be looked after in the test's own process until it has come that far. */
async function tended(work: Work, saga: Saga, isThere: (contract: Shown) => boolean): Promise<Shown> {
  for (const until = Date.now() + HEALS_WITHIN_MS; Date.now() < until; ) {
    const contract = await shown(work, saga)
    if (isThere(contract)) return contract
    await hurry(work, [saga.id])
    await work.scheduler.round([work.world.caller.account.lane])
    await work.scheduler.settled()
  }
  throw new Error(`${saga.name}: it did not come to its stage: ${JSON.stringify(await shown(work, saga))}`)
}

async function asked(work: Work, method: Method, path: string, body: Record<string, unknown>, key: string) {
  const sent = { body, headers: { 'idempotency-key': key } }
  const { status, text } = await work.world.caller.ask(method, path, sent)
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
}

const METHOD = { type: 'gcash', gcash: {} }

const choose = (work: Work, { id }: Saga) => asked(work, 'PUT', `/contracts/payment/${id}/pay`, METHOD, `pay ${id}`)
const refund = (work: Work, { id }: Saga) => asked(work, 'POST', `/contracts/payment/${id}/refunds`, {}, `refund ${id}`)
const cancel = (work: Work, { id }: Saga) => asked(work, 'DELETE', `/contracts/transfer/${id}`, {}, `cancel ${id}`)

const payAtRail = async (work: Work, saga: Saga) => payAt((await shown(work, saga)).next_action?.url)

/** The payer agrees on the provider's page. */
async function payAt(url: string | undefined): Promise<void> {
  if (url === undefined) return
  const body = new URLSearchParams({ action: 'pay' })
  await fetch(url, { method: 'POST', redirect: 'manual', body })
}

/** The payer's transfer is paid and waits for whoever sends it; its id. */
async function payFromWallet({ world, payer }: Work, { id }: Saga): Promise<string> {
  const { deps } = world.gateway
  const [payment, caller] = [await findPayment(deps, id), await deps.callers.byApiKey(payer.apiKey)]
  if (!payment || !caller) throw new Error('neither contract nor payer')
  const { id: walletId } = await payer.wallet('PHP')
  const waiting = { ...deps, payments: { ...deps.payments, connectors: new Map() } }
  const paid = await payByWallet(waiting, payment, caller, walletId)
  if (isRefusal(paid)) throw new Error(paid.message)
  return paid.contract.attempts.at(-1)?.details['transfer_id'] ?? ''
}

const LOOKS_MAX = 20

const NO_ANSWER = { kind: 'unknown', reason: 'no answer' } as const
const SILENT: Connector & Collects = {
  describe: () => ({
    acceptsReference: true,
    dedupeLifetimeMs: null,
    inquiry: true,
    notFoundFinalAfterMs: 0,
    recall: false,
  }),
  send: async () => NO_ANSWER,
  check: async () => NO_ANSWER,
  describeCollect: () => ({ inquiry: true, refunds: false }),
  collect: async () => NO_ANSWER,
  checkCollection: async () => NO_ANSWER,
  voidCollection: async () => 'unknown',
}

/** Its rail is asked, and answers nothing, until nobody waits for its answer any more. */
async function givenUp(work: Work, saga: Saga): Promise<void> {
  const { execute, payments } = work.world.gateway.deps
  const unreached = { execute, payments: { ...payments, noted: () => SILENT } }
  for (let looks = 0; (await shown(work, saga)).status === 'issued' && looks < LOOKS_MAX; looks++) {
    await hurry(work, [saga.id])
    const [row] = await work.world.sql(`select ${JOB_COLUMNS} from jobs j where j.contract_id = $1`, [saga.id])
    const job = row && jobFrom(row)
    if (job?.kind === 'collection') await runCollection(unreached, job)
  }
}

/** An hour goes by for the contract: its time is over. */
async function lapse({ world }: Work, { id }: Saga): Promise<void> {
  await lapsed(world, id, '1 hour')
}

/** What waits for its time is due. */
async function hurry({ world }: Work, ids: readonly string[]): Promise<void> {
  await world.sql('update jobs set due_at = now() where due_at > now() and contract_id = any($1)', [ids])
  await world.sql(
    `update jobs a set due_at = now(), submitted_at = submitted_at - interval '10 minutes',
            absent_since = absent_since - interval '10 minutes'
      where due_at > now() and status in ('queued', 'unknown', 'accepted')`,
  )
}

/** Asks the process what the stage says; nobody waits for its answer. */
async function request({ world }: Work, { id }: Saga, stage: PaymentStage, process: BesideProcess): Promise<void> {
  const send = (method: string, path: string, body: unknown, key: string) =>
    fetch(`${process.url}${path}`, {
      method,
      headers: { 'x-api-key': world.caller.apiKey, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    }).catch(() => null)
  if (stage === 'issued, then paid') await send('PUT', `/contracts/payment/${id}/pay`, METHOD, `pay ${id}`)
  if (stage === 'open, then cancelled') await send('DELETE', `/contracts/transfer/${id}`, {}, `cancel ${id}`)
  if (stage === 'paid, then refunded') await send('POST', `/contracts/payment/${id}/refunds`, {}, `refund ${id}`)
}

async function shown({ world }: Work, { id }: Saga): Promise<Shown> {
  const { status, text, data } = await world.caller.ask('GET', `/contracts/payment/${id}`)
  if (status !== 200) throw new Error(`GET ${id}: ${status} ${text}`)
  return data['contract'] as Shown
}

const givesBack = ({ does }: PaymentSagaKind) => does === 'refunds' || does === 'pays late'

function isOver({ kind }: Saga, { status, refunds, amount_in_suspense: suspended }: Shown): boolean {
  const given = refunds.map((each) => each.status)
  const wanted = givesBack(kind) ? ['done'] : []
  return status === kind.ends && suspended === 0 && JSON.stringify(given) === JSON.stringify(wanted)
}

/** Lets time go by; callers and payers do again what they had no answer to. What is open in the end is a finding. */
async function untilEnded(work: Work): Promise<string[]> {
  const { sagas } = work
  for (const until = Date.now() + HEALS_WITHIN_MS; ; await sleep(HURRY_EVERY_MS)) {
    const open: string[] = []
    for (const saga of sagas) {
      const contract = await shown(work, saga)
      if (isOver(saga, contract)) continue
      open.push(`${saga.name}: ${JSON.stringify(contract)} and not ${saga.kind.ends}`)
      await askAgain(work, saga, contract)
    }
    if (open.length === 0 || Date.now() > until) return open
    await hurry(
      work,
      sagas.map(({ id }) => id),
    )
  }
}

async function askAgain(work: Work, saga: Saga, contract: Shown): Promise<void> {
  const { status, cancellation, attempts, refunds } = contract
  const { does } = saga.kind
  if (does === 'cancels' && status === 'issued' && cancellation === null) await cancel(work, saga)
  if (does === 'refunds' && status === 'completed' && refunds.length === 0) await refund(work, saga)
  if (does !== 'pays' || status !== 'issued') return
  if (attempts.length === 0) await choose(work, saga)
  await payAtRail(work, saga)
}

type Collected = {
  readonly attempts: number
  readonly payments: readonly { readonly amount: string }[]
  readonly refunds: readonly { readonly amount: string; readonly status: string }[]
}

/** What the provider's books and the wallets of both sides say against ours. */
async function comparison(work: Work): Promise<string[]> {
  const { world, sagas, opening, payer } = work
  const found: string[] = []
  for (const saga of sagas) {
    const { attempts } = await shown(work, saga)
    const books = (await Promise.all(attempts.map(({ reference }) => collected(world, reference)))).flat()
    const is = [
      [
        'attempts under one reference',
        Math.max(0, ...books.map((each) => each.attempts)),
        saga.kind.does.includes('wallet') ? 0 : 1,
      ],
      [
        'payments',
        books.flatMap((each) => each.payments).length,
        ['pays', 'refunds', 'pays late'].includes(saga.kind.does) ? 1 : 0,
      ],
      ['refunds', books.flatMap((each) => each.refunds).length, givesBack(saga.kind) ? 1 : 0],
      [
        'minor units given back',
        minorOf(books.flatMap((each) => each.refunds)),
        givesBack(saga.kind) ? AMOUNT * 100 : 0,
      ],
    ] as const
    for (const [what, count, wanted] of is)
      if (count !== wanted) found.push(`${saga.name}: the provider has ${count} ${what} and should have ${wanted}`)
  }
  const paidBy = (does: PaymentSagaKind['does']) => sagas.filter(({ kind }) => kind.does === does).length * AMOUNT
  const came = Math.round((await world.caller.balance('PHP')) - opening.merchant)
  const left = Math.round(opening.payer - (await payer.balance('PHP')))
  const [earned, spent] = [paidBy('pays') + paidBy('pays from a wallet'), paidBy('pays from a wallet')]
  if (came !== earned) found.push(`the merchant got ${came} and should have ${earned}`)
  if (left !== spent) found.push(`the payer paid ${left} and should have paid ${spent}`)
  return found
}

const minorOf = (moved: readonly { readonly amount: string }[]) =>
  moved.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)

async function collected({ sandboxUrl }: World, reference: string): Promise<Collected[]> {
  const reply = await fetch(`${sandboxUrl}/gcash/collections/${reference}`)
  return reply.ok ? [(await reply.json()) as Collected] : []
}
