// Payment events coming in, beside the bare framework taking bodies of the same size: events that pay, each its own
// contract, with settlement later and at once; the same events again; and events that are only kept.
import { randomUUID } from 'node:crypto'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { createReceiverKey } from '../../src/app/accounts/receiver-secrets.ts'
import { readSealingKeys } from '../../src/main/database/sealing-keys.ts'
import { openSession } from '../../src/platform/db.ts'
import { openSealing } from '../../src/platform/sealing.ts'
import { call } from '../deliveries/backlog.ts'
import { type Bench, type Figure, measure } from '../measure.ts'
import type { Work } from '../plan.ts'
import {
  eventText,
  type OriginalPayment,
  prepareSeeding,
  seedPayments,
  type EventSender,
  type EventFields,
  writeRequests,
} from './receiver-seed.ts'
import { createRequestOf } from '../load/requests.ts'
import type { Databases } from '../stage/databases.ts'
import { openRig, type Payer, type Rig } from '../stage/rig.ts'
import type { Record } from '../scenarios.ts'
import { type Seeded, settleTables } from '../stage/seed.ts'
import { type Server, startBareProcess } from '../stage/servers.ts'
import { stopChild } from '../stage/stage.ts'

const NAME = 'receiver'
export const BARE_EVENT = 'bare-post-event'
/** More than two processors can do; what a window leaves over serves the next one. */
const PER_SECOND_MAX = 10_000
const AMOUNT = 1500
const LIFETIME_SECONDS = 2_592_000

/** A way to pay, the channel of its money, and when that settles: gcash after a day, QR at once. */
type Way = { readonly kind: 'gcash' | 'qr'; readonly channel: string }
const LATER: Way = { kind: 'gcash', channel: 'gcash' }
const AT_ONCE: Way = { kind: 'qr', channel: 'qrph' }

type Ground = { readonly bench: Bench; readonly rig: Rig; readonly senders: readonly EventSender[] }
type Step = (round: number, record: Record) => Promise<void>
/** Requests in a file, and the status of their events in the books afterwards. */
type Batch = {
  readonly path: string
  readonly requestBytes: number
  readonly order: 'once' | 'around'
  readonly status: 'applied' | 'ignored'
}

/** All of it, on a gateway and a database of its own. */
export async function runReceiver(bench: Bench, databases: Databases, record: Record): Promise<void> {
  const rig = await openRig(bench.stage, databases, { name: NAME, undoSeconds: 3600, batchMax: 256 })
  await prepareSeeding(rig.client)
  const ground: Ground = { bench, rig, senders: await sendersOf(bench, rig) }
  const bare = await startBareProcess(bench.stage, rig.canned)
  const later = await payingStep(ground, 'receive', LATER, rig.many)
  const one = await payingStep(ground, 'receive-one', LATER, [rig.big])
  const atOnce = await payingStep(ground, 'receive-at-once', AT_ONCE, rig.many)
  const steps = [
    bareStep(ground, bare),
    later.step,
    againStep(ground, later.last),
    one.step,
    atOnce.step,
    keptStep(ground),
  ]
  for (let round = 1; round <= bench.effort.rounds; round++) for (const step of steps) await step(round, record)
  await stopChild(bare.child)
  await stopChild(rig.server.child)
}

/** A key with which a provider sends events, for each account. */
async function sendersOf({ stage }: Bench, { wish, big, many }: Rig): Promise<EventSender[]> {
  const sealing = openSealing(readSealingKeys(stage.sealingKeys, stage.directory))
  const session = openSession({ connection: { connectionString: wish.databaseUrl }, parameters: {} })
  const key = { name: 'Provider', livemode: false, scopes: ['events:write'], expiresInSeconds: null } as const
  try {
    const senders: EventSender[] = []
    for (const { lane, accountId } of [big, ...many]) {
      const made = await createReceiverKey(session, sealing, { lane, accountId }, key, Date.now())
      senders.push({ lane, accountId, key: made.text, secret: made.secret })
    }
    return senders
  } finally {
    await session.close()
  }
}

/** The bar: as many bytes of body, to a server that parses and checks them and answers. */
function bareStep({ bench, rig }: Ground, server: Server): Step {
  const event = eventText(randomUUID(), eventFieldsOf(LATER, AMOUNT), Math.floor(Date.now() / 1000))
  const work: Work = { kind: 'same', request: createRequestOf(rig.big.key, event.length) }
  return async (round, record) => record((await measure(bench, { scenario: BARE_EVENT, server, work })).figure, round)
}

const eventFieldsOf = ({ channel }: Way, amount: number): EventFields => ({
  type: 'payment_intent.succeeded',
  channel,
  amount,
})

const needOf = ({ measureMs, effort }: Bench) => Math.ceil((PER_SECOND_MAX * (effort.warmupMs + measureMs)) / 1000)

type Paying = { readonly step: Step; readonly last: () => Batch }

/** Each event pays its own contract, which waited for it. `last` is the batch of the last round. */
async function payingStep(ground: Ground, scenario: string, way: Way, payers: readonly Payer[]): Promise<Paying> {
  const { bench, rig, senders } = ground
  const { original, dueAmount } = await waitingContract(rig, way)
  const path = join(bench.stage.directory, `${scenario}.requests`)
  let left: readonly Seeded[] = []
  let requestBytes = 0
  const batch = (order: Batch['order']): Batch => ({ path, requestBytes, order, status: 'applied' })
  const step: Step = async (round, record) => {
    const missing = needOf(bench) - left.length
    if (missing > 0) left = [...left, ...(await seedPayments(rig.client, original, payers, missing))]
    await settlePayments(rig)
    requestBytes = writeRequests(path, senders, left, eventFieldsOf(way, dueAmount))
    const used = await send(ground, scenario, batch('once'), round, record)
    left = left.slice(used)
    truncateSync(path, used * requestBytes)
  }
  return { step, last: () => batch('around') }
}

/** The last batch is sent again. */
function againStep(ground: Ground, last: () => Batch): Step {
  return async (round, record) => void (await send(ground, 'receive-again', last(), round, record))
}

/** Events of a type that is only kept. */
function keptStep(ground: Ground): Step {
  const { bench, rig, senders } = ground
  const path = join(bench.stage.directory, 'kept.requests')
  return async (round, record) => {
    const events = Array.from({ length: needOf(bench) * 2 }, (_, i) => {
      const { accountId } = rig.many[i % rig.many.length] as Payer
      return { id: randomUUID(), accountId }
    })
    const fields: EventFields = { type: 'payment_intent.created', channel: LATER.channel, amount: AMOUNT }
    const requestBytes = writeRequests(path, senders, events, fields)
    await settlePayments(rig)
    await send(ground, 'receive-kept', { path, requestBytes, order: 'once', status: 'ignored' }, round, record)
  }
}

/** Sends the events of a file and checks in the books that each was taken in as it should be. How many were sent. */
async function send(ground: Ground, scenario: string, batch: Batch, round: number, record: Record): Promise<number> {
  const { bench, rig } = ground
  const { path, requestBytes, order, status } = batch
  const before = await countEvents(rig)
  const work: Work = { kind: 'whole', path, requestBytes, order }
  const { figure, listUsed } = await measure(bench, { scenario, server: rig.server, work })
  const after = await countEvents(rig)
  const fresh = order === 'once' ? listUsed : 0
  const isRight = after.all - before.all === fresh && after[status] - before[status] === fresh
  const fault =
    figure.fault ??
    (isRight
      ? null
      : `${listUsed} events were sent; the books say ${JSON.stringify(before)} and then ${JSON.stringify(after)}`)
  record({ ...figure, fault } satisfies Figure, round)
  return listUsed
}

type Counts = { readonly all: number; readonly applied: number; readonly ignored: number }

/** Events in the books; those that paid, by the contracts that are paid. */
async function countEvents({ client }: Rig): Promise<Counts> {
  const { rows } = await client.query<Counts>(
    `select (select count(*) from payment_events)::int as "all",
            (select count(*) from contracts where kind = 'payment' and status in ('paid', 'completed'))::int as applied,
            (select count(*) from payment_events where status = 'ignored')::int as ignored`,
  )
  return rows[0] ?? { all: 0, applied: 0, ignored: 0 }
}

/** One contract through the API and its rail, until it waits for its payer: what seeding copies. It is never paid. */
async function waitingContract(rig: Rig, { kind }: Way): Promise<{ original: OriginalPayment; dueAmount: number }> {
  const { lane, accountId } = rig.big
  const body = { amount: AMOUNT, currency: 'PHP', expires_in: LIFETIME_SECONDS, description: 'Order 42' }
  const { contract } = await call(rig, rig.big, 'POST', '/contracts/payment', body)
  const contractId = (contract as { id: string }).id
  await call(rig, rig.big, 'PUT', `/contracts/payment/${contractId}/pay`, { type: kind, [kind]: {} })
  const { rows } = await rig.client.query<{ debit: string }>(
    `select h.document -> 'attempts' -> 0 ->> 'debit' as debit
       from contracts c
       join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.position = c.position
      where c.lane = $1 and c.account_id = $2 and c.id = $3`,
    [lane, accountId, contractId],
  )
  return { original: { lane, accountId, contractId }, dueAmount: Number(rows[0]?.debit) / 100 }
}

async function settlePayments(rig: Rig): Promise<void> {
  await rig.client.query('vacuum (analyze) payment_events, jobs, provider_payment_ids')
  await settleTables(rig.client)
}
