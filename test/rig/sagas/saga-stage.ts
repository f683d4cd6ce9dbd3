// Where sagas are played that a process dies in: a world whose own workers rest, gateways as processes beside it on the
// same database and the same provider. Brings a contract to a stage, lets a process die, heals, and compares.
import { setTimeout as sleep } from 'node:timers/promises'
import { passOn } from '../../../src/engine/crash-points.ts'
import { runPayout } from '../../../src/app/transfers/payouts.ts'
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import { JOB_COLUMNS, payoutFrom } from '../../../src/store/jobs/jobs.ts'
import { type Caller, openWorld, type World } from '../../world.ts'
import type { BesideProcess } from '../gateway-beside.ts'
import { AMOUNT, type Ground, type Moved } from './saga-grounds.ts'
import type { CrashCase } from './crash-cases.ts'
import type { SagaKind, Stage } from './saga-kinds.ts'
import { type CrashStage, endOf, healed, openVictims, type Victims } from './victims.ts'

/** A contract on its way; `name` says whose death it is. */
type Saga = {
  readonly name: string
  readonly id: string
  readonly kind: SagaKind
  readonly caller: Caller
  readonly wallet: string
}

type Work = {
  readonly ground: Ground
  readonly world: World
  readonly start: Victims['start']
  readonly payers: Readonly<Record<SagaKind['onFailure'], Caller>>
  readonly receiver: { readonly walletId: string; readonly opening: number }
  readonly sagas: Saga[]
  count: number
}

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBwcm92aWRlcg=='
const PATIENCE_MS = 2000
const HEALS_WITHIN_MS = 120_000

/** Opens a stage on a ground for gateways of this compiled program. */
export async function openSagaStage(program: string, ground: Ground): Promise<CrashStage<SagaKind>> {
  const callbackSecrets = new Map([['sandbox', [SECRET]]])
  const { channels, callTimeoutMs, leaseMs } = ground
  const world = await openWorld({
    workers: 'resting',
    config: { channels, callbackSecrets, callTimeoutMs, leaseMs, ...ground.config },
  })
  const settings = { GATEWAY_CALLBACK_SECRETS: `sandbox=${SECRET}`, ...ground.settings }
  const { start, close } = openVictims(program, world, { channels, callTimeoutMs, leaseMs, settings })
  const wallet = await world.other.wallet('PHP')
  const work: Work = {
    ground,
    world,
    start,
    payers: await openPayers(world),
    receiver: { walletId: wallet.id, opening: Math.round(wallet.available) },
    sagas: [],
    count: 0,
  }
  // What comes later comes when time is let go by, and not while a process starts.
  await tell(work, '/scenarios', { rail: 'pesonet', settle_after_seconds: 60 })
  const done = { verdict: 'accepted', later: { after_seconds: 60, status: 'completed' } }
  await tell(work, '/scenarios', { rail: 'sandbox', match: { account: 'accepted-first' }, ...done })
  const refused = { verdict: 'refused', code: 'account_closed' }
  await tell(work, '/scenarios', { rail: 'pesonet', match: { account: 'FILE-REFUSED' }, ...refused })
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

async function openPayers(world: World): Promise<Work['payers']> {
  const hold = await world.newCaller()
  const back = await world.newCaller()
  const change = (what: string, { account }: Caller) =>
    world.sql(`update accounts set ${what} where account_id = $1`, [account.accountId])
  await change('refunds_at_once = false', hold)
  await change(`fallback_channels = '{second}'`, back)
  return { refund: world.caller, hold, 'fall back': back }
}

async function tell({ world }: Pick<Work, 'world'>, path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${world.sandboxUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`POST ${path} of the provider: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as Record<string, unknown>
}

const later = ({ ground, world }: Work) => ground.later(world.sandboxUrl)

async function play(work: Work, { kind, leg, point }: CrashCase<SagaKind>): Promise<string[]> {
  const name = `${kind.name}, ${leg.from}: ${point}${leg.attempt === undefined ? '' : ', second attempt'}`
  const saga = await prepared(work, kind, leg.from, name)
  const about = point.endsWith('a batch is committed') ? saga.id : attemptReference(saga.id, leg.attempt ?? 1)
  work.count += 1
  const process = await work.start(`victim-${work.count}`, `${point}: ${about}`)
  const callback = await request(work, saga, leg.from, process)
  const end = await endOf(process, PATIENCE_MS, async () => {
    // A chain may have had to catch up with what died before.
    await later(work)
    await wait(work, [saga.id])
  })
  if (callback !== null) await fetch(`${work.world.sandboxUrl}/callbacks/${callback}`, { method: 'DELETE' })
  return end === 'SIGKILL' ? [] : [`${name}: it did not die there (${end}); ${await standOf(work, saga)}`]
}

/** Makes the contract of a case, and those that leave together with it, and brings it to its stage. */
async function prepared(work: Work, kind: SagaKind, stage: Stage, name: string): Promise<Saga> {
  const { sagas } = work
  const saga = await newSaga(work, kind, name)
  sagas.push(saga)
  if (kind.channel === 'files' && stage === 'paid')
    for (const [account, ends] of [
      ['FILE-PAID', 'completed'],
      ['FILE-REFUSED', 'cancelled'],
    ] as const) {
      const other = await newSaga(work, { ...kind, account, ends }, `${name} (beside it)`)
      sagas.push(other)
      await saga.caller.pay(other.id)
    }
  if (stage === 'issued, then paid') return saga
  await saga.caller.pay(saga.id)
  if (stage === 'paid') return saga
  await sent(work, saga)
  if (kind.channel === 'chain') await later(work)
  if (stage === 'sent and cancelled') await saga.caller.cancel(saga.id)
  if (stage === 'sent and retried') await retry(saga.caller, saga.id)
  if (stage === 'sent and told') await later(work)
  while (stage === 'sent and absent' && (await attemptOf(work, saga)).status !== 'queued') {
    await wait(work, [saga.id])
    await step(work, saga)
  }
  if (stage !== 'sent, then called back') await wait(work, [saga.id])
  return saga
}

async function newSaga(work: Work, kind: SagaKind, name: string): Promise<Saga> {
  const caller = work.payers[kind.onFailure]
  const account = kind.account === 'wallet' ? work.receiver.walletId : kind.account
  const wallet = work.ground.newRecipient() ?? account
  // A wallet of this gateway has its owner's own name, which nobody has to give.
  const recipient = kind.account === 'wallet' ? { wallet } : { name: 'Ana Reyes', wallet, tag: 'BOPIPHMM' }
  const { id } = await caller.issued({
    amount: AMOUNT,
    currency: work.ground.currency,
    channel: kind.channel,
    recipient,
  })
  if (kind.account === 'refused-first') {
    const match = { reference: attemptReference(id, 1) }
    await tell(work, '/scenarios', { rail: 'sandbox', match, verdict: 'refused', code: 'account_closed' })
  }
  return { name, id, kind, caller, wallet }
}

async function attemptOf({ world }: Work, { id }: Saga) {
  const [row] = await world.sql(`select ${JOB_COLUMNS} from jobs j where j.contract_id = $1`, [id])
  if (!row) throw new Error(`no attempt at ${id}`)
  return payoutFrom(row)
}

/** Sends the first attempt. On a busy machine a call may have to be made again; where silence is the story it is not. */
async function sent(work: Work, saga: Saga): Promise<void> {
  const isOpen = async () => {
    const { status, number } = await attemptOf(work, saga)
    return status === 'unknown' || (status === 'queued' && number === 1)
  }
  await step(work, saga)
  while (!saga.kind.account.startsWith('sandbox-timeout') && (await isOpen())) {
    await wait(work, [saga.id])
    await step(work, saga)
  }
}

/** Does what is due about one attempt, as a worker would. */
async function step(work: Work, saga: Saga): Promise<void> {
  const { execute, callbacks, payments } = work.world.gateway.deps
  const { freezes } = payments
  const attempt = await attemptOf(work, saga)
  await runPayout(
    { execute, connectors: callbacks.connectors, freezes, leaseMs: work.ground.leaseMs, crashPoint: passOn },
    attempt,
  )
}

/** Ten minutes go by for attempts that wait; a lease goes by itself. */
async function wait({ world }: Work, ids: readonly string[]): Promise<void> {
  await world.sql(
    `update jobs set due_at = now(), submitted_at = submitted_at - interval '10 minutes',
            absent_since = absent_since - interval '10 minutes'
      where due_at > now() and status in ('queued', 'unknown', 'accepted') and contract_id = any($1)`,
    [ids],
  )
}

async function retry(caller: Pick<Caller, 'ask'>, id: string): Promise<void> {
  const { status, text } = await caller.ask('PUT', `/contracts/transfer/${id}/retry`, { body: { channel: 'second' } })
  if (status !== 200) throw new Error(`retry: ${status} ${text}`)
}

/** Asks the process what the stage says; the callback's id where the provider is to tell it something. */
async function request(work: Work, saga: Saga, stage: Stage, process: BesideProcess): Promise<string | null> {
  const send = (method: string, path: string, body: string | null) =>
    fetch(`${process.url}/contracts/transfer/${saga.id}${path}`, {
      method,
      headers: { 'x-api-key': saga.caller.apiKey, ...(body === null ? {} : { 'content-type': 'application/json' }) },
      body,
    }).catch(() => null)
  if (stage === 'issued, then paid') await send('PUT', '/pay', null)
  if (stage === 'sent, then cancelled') await send('DELETE', '', null)
  if (stage === 'sent, then retried') await send('PUT', '/retry', '{"channel":"second"}')
  if (stage !== 'sent, then called back') return null
  const url = `${process.url}/channels/sandbox/callbacks`
  const { id } = await tell(work, '/callbacks', { url, secret: SECRET, rails: ['sandbox'] })
  await later(work)
  return id as string
}

type Stand = { readonly id: string; readonly status: string; readonly attempt: string | null }

async function stands({ world }: Work, ids: readonly string[]): Promise<Map<string, Stand>> {
  const rows = await world.sql<Stand>(
    `select c.id, c.status, a.status as attempt
       from contracts c left join jobs a on a.lane = c.lane and a.account_id = c.account_id and a.contract_id = c.id
      where c.id = any($1)`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

async function standOf(work: Work, saga: Saga): Promise<string> {
  const stand = (await stands(work, [saga.id])).get(saga.id)
  return `${stand?.status}, its attempt ${stand?.attempt}`
}

/** Lets time go by, and the callers ask again for what they had no answer to; what is open in the end is a finding. */
async function untilEnded(work: Work): Promise<string[]> {
  const { sagas } = work
  const ids = sagas.map(({ id }) => id)
  for (const until = Date.now() + HEALS_WITHIN_MS; ; await sleep(300)) {
    await later(work)
    await wait(work, ids)
    const all = await stands(work, ids)
    const open = sagas.filter(({ id, kind }) => all.get(id)?.status !== kind.ends)
    if (open.length === 0) return []
    if (Date.now() > until)
      return open.map(({ name, id, kind }) => `${name}: ${JSON.stringify(all.get(id))} and not ${kind.ends}`)
    for (const saga of open) await askAgain(saga, all.get(saga.id))
  }
}

async function askAgain({ id, kind, caller }: Saga, stand: Stand | undefined): Promise<void> {
  if (stand?.status === 'issued') await caller.pay(id)
  if (stand?.status !== 'paid') return
  const hasFailed = stand.attempt === 'failed'
  if (kind.byHand === 'retry' && hasFailed) await retry(caller, id)
  if (kind.byHand !== 'cancel') return
  // Cancelled twice is cancelled once; the rail's word is waited for only where the first cancel was heard.
  const isAsked = (await caller.get(id)).cancellation !== null
  if (hasFailed || !isAsked) await caller.cancel(id)
}

/** What others' books say against ours. */
async function comparison(work: Work): Promise<string[]> {
  const { ground, world, sagas, receiver } = work
  const moved: Moved[] = []
  for (const saga of sagas) moved.push({ name: saga.name, wallet: saga.wallet, attempt: await attemptOf(work, saga) })
  const found = await ground.mismatches(world.sandboxUrl, moved)
  const inside = sagas.filter(({ kind }) => kind.channel === 'wallet').length * AMOUNT
  const came = Math.round(await world.other.balance('PHP')) - receiver.opening
  return came === inside ? found : [...found, `the receiving wallet got ${came} and should have ${inside}`]
}
