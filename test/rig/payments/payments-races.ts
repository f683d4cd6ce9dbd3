// Payment contracts that are paid in the very moment in which they are cancelled, expire, or are paid by another method: each
// has one story afterwards, and all the money of it is accounted for, at the gateway and at the provider.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Dice, diceOf } from '../dice.ts'
import { CHANNELS } from './payments-channels.ts'
import type { Fact, Kind } from './payments-model.ts'
import { eventOf } from './payments-events.ts'
import {
  type Answer,
  type Merchant,
  minorOf,
  openPaymentStage,
  type PaymentBody,
  type Stage,
} from './payments-stage.ts'
import { forAll, untilNone } from '../rails/rails.ts'

export type PaymentRaceOptions = { readonly owner: pg.ClientConfig; readonly contracts: number; readonly seed: number }

export type PaymentRaceFigures = {
  readonly seed: number
  readonly contracts: number
  /** Each race and how it ended. */
  readonly ends: Readonly<Record<string, number>>
  readonly answers: Readonly<Record<string, number>>
  readonly refunds: Readonly<Record<string, number>>
  readonly seconds: number
  readonly findings: readonly string[]
}

const RACES = [
  'cancelled, told',
  'cancelled, at the rail',
  'expired, told',
  'two methods',
  'two methods at the rail',
] as const
type Race = (typeof RACES)[number]

type Raced = {
  readonly id: string
  readonly race: Race
  readonly cancel: Answer | null
  /** What was told by ourselves; what the rail took is asked of the rail. */
  readonly toldMinor: bigint
}

const AMOUNT = 480
const AT_ONCE = 24
const REST_WITHIN_MS = 60_000
const PARALLEL_REFUNDS = 200
const LEGAL = ['200 ok', '409 contract_already_paid', '409 contract_expired']

export async function runPaymentRaces({ owner, contracts, seed }: PaymentRaceOptions): Promise<PaymentRaceFigures> {
  const from = performance.now()
  const stage = await openPaymentStage(owner, CHANNELS)
  try {
    stage.gateway.startWorkers()
    const merchant = await stage.newMerchant(0n)
    await register(stage, merchant)
    const dice = diceOf(seed)
    const numbers = Array.from({ length: contracts }, (_, number) => number)
    const raced: Raced[] = []
    await forAll(numbers, AT_ONCE, async (number) => {
      const own = dice.part(`race ${number}`)
      raced.push(await race(stage, merchant, own, RACES[number % RACES.length] ?? 'two methods', `${seed}_${number}`))
    })
    const restless = await untilNone(() => open(stage), REST_WITHIN_MS)
    const [answers, ends]: Record<string, number>[] = [{}, {}]
    const findings = restless.map((id) => `contract ${id} does not come to rest`)
    for (const each of raced) findings.push(...(await judged(stage, merchant, each, answers ?? {}, ends ?? {})))
    const refunds = await parallelRefunds(stage, findings)
    findings.push(...(await stage.unsound()))
    const seconds = (performance.now() - from) / 1000
    return { seed, contracts, ends: ends ?? {}, answers: answers ?? {}, refunds, seconds, findings }
  } finally {
    await stage.stop()
  }
}

/** The provider tells the gateway what becomes of this merchant's payments. */
async function register({ url, providerUrl }: Stage, { accountId, receiver }: Merchant): Promise<void> {
  const { key, secret } = receiver
  const body = JSON.stringify({ url: `${url}/webhooks`, api_key: key, secret, account_id: accountId })
  const answer = await fetch(`${providerUrl}/payment-receivers`, { method: 'POST', body })
  if (!answer.ok) throw new Error(`the provider takes no receiver: ${answer.status}`)
}

/** How long a cancellation took the last time. */
const pace = { cancelMs: 40 }

const METHODS = { gcash: { type: 'gcash', gcash: {} }, maya: { type: 'maya', maya: {} } } as const

async function race(stage: Stage, merchant: Merchant, dice: Dice, kind: Race, name: string): Promise<Raced> {
  const expiresInSeconds = kind === 'expired, told' ? 1 : 600
  const body = { amount: AMOUNT, currency: 'PHP', expires_in: expiresInSeconds }
  const { contract } = await merchant.ask('POST', '/contracts/payment', body)
  if (!contract) throw new Error('no contract to race with')
  const { id } = contract
  const path = `/contracts/payment/${id}`
  const pages: string[] = []
  for (const method of kind.startsWith('two') ? (['gcash', 'maya'] as const) : (['gcash'] as const)) {
    const chosen = await merchant.ask('PUT', `${path}/pay`, METHODS[method])
    pages.push(chosen.contract?.next_action?.url ?? '')
  }
  const told = (method: Kind, attempt: number) =>
    merchant.tell(eventOf(factOf(`${name}_${attempt}`, method, attempt), id))
  const cancel = async () => {
    await sleep(dice.whole(0, 4))
    const from = performance.now()
    const answer = await merchant.ask('DELETE', path, { reason: 'at the same moment' })
    pace.cancelMs = performance.now() - from
    return answer
  }
  // Some come at once, some while the rail is closing the attempt, some after it: as long as that takes here.
  const soon = async <T>(work: () => Promise<T>) => {
    await sleep(dice.chance(0.4) ? dice.whole(0, 4) : dice.whole(0, Math.ceil(pace.cancelMs * 1.5)))
    return work()
  }
  const toldMinor = minorOf(AMOUNT)
  switch (kind) {
    case 'cancelled, told': {
      const [answer] = await Promise.all([cancel(), soon(() => told('gcash', 1))])
      return { id, race: kind, cancel: answer, toldMinor }
    }
    case 'cancelled, at the rail': {
      const [answer] = await Promise.all([cancel(), soon(() => press(pages[0] ?? ''))])
      return { id, race: kind, cancel: answer, toldMinor: 0n }
    }
    case 'expired, told':
      await sleep(Date.parse(contract.expires_at) - Date.now() + dice.whole(-20, 300))
      await told('gcash', 1)
      return { id, race: kind, cancel: null, toldMinor }
    case 'two methods':
      await Promise.all([soon(() => told('gcash', 1)), soon(() => told('maya', 2))])
      // The fee of the second is on top.
      return { id, race: kind, cancel: null, toldMinor: toldMinor * 2n + MAYA_FEE_MINOR }
    case 'two methods at the rail':
      await Promise.all(pages.map((page) => soon(() => press(page))))
      return { id, race: kind, cancel: null, toldMinor: 0n }
  }
}

const MAYA_FEE_MINOR = 1500n

const press = (page: string) =>
  fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action: 'pay' }) })

function factOf(name: string, kind: Kind, attempt: number): Fact {
  const amountMinor = minorOf(AMOUNT) + (kind === 'maya' ? MAYA_FEE_MINOR : 0n)
  const ids = { eventId: `evt_${name}`, objectId: `pi_${name}` }
  return { ...ids, says: 'succeeded', attempt, kind, amountMinor, currency: 'PHP', hasPayer: true, atRail: 'unknown' }
}

/** What still has to happen: contracts that wait, transfers under way, money in suspense that nobody has to look at. */
async function open({ sql }: Stage): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `select c.id from contracts c join contract_versions h using (lane, account_id, position)
      where c.kind = 'transfer' and c.status = 'paid'
         or c.kind = 'payment' and (c.status = 'issued' or h.document ->> 'cancellation' like '%pending%'
            or coalesce((h.document ->> 'suspense_minor')::bigint, 0) > 0 and not coalesce((h.document ->> 'returns_held')::boolean, false))`,
  )
  return rows.map(({ id }) => id)
}

async function judged(
  stage: Stage,
  merchant: Merchant,
  { id, race: kind, cancel, toldMinor }: Raced,
  answers: Record<string, number>,
  ends: Record<string, number>,
): Promise<string[]> {
  const { contract } = await merchant.ask('GET', `/contracts/payment/${id}`)
  if (!contract) return [`contract ${id} is gone`]
  const findings: string[] = []
  const wrong = (what: string) => findings.push(`${kind}, contract ${id}: ${what}`)
  const isPaid = contract.status === 'paid' || contract.status === 'completed'
  const end = `${kind}: ${isPaid ? 'paid' : contract.status}${contract.refunds.length > 0 ? ', money returned' : ''}`
  ends[end] = (ends[end] ?? 0) + 1
  if (cancel) {
    const answer = `${cancel.status} ${cancel.code}`
    answers[answer] = (answers[answer] ?? 0) + 1
    if (!LEGAL.includes(answer)) wrong(`cancelling it was answered with ${answer}`)
    if (cancel.code === 'contract_already_paid' && !isPaid) wrong('cancelling was refused as paid, and it is not')
    if (cancel.contract?.status === 'cancelled' && isPaid) wrong('it was cancelled, and is paid')
    if (isPaid && contract.cancellation && contract.cancellation.status !== 'refused')
      wrong('it is paid, and its cancellation is not refused')
  }
  const lines = contract.activities.map(({ type }) => type)
  if (['paid', 'cancelled', 'expired'].filter((type) => lines.includes(type)).length !== 1)
    wrong(`it has no one story: ${lines.join(', ')}`)
  if (lines.filter((type) => type === 'paid').length > 1) wrong('it was paid twice')
  const rail = await railTotals(stage, contract)
  const receivedMinor = minorOf(contract.amount_received)
  if (receivedMinor !== toldMinor + rail.paidMinor)
    wrong(`it received ${receivedMinor}, of ${toldMinor + rail.paidMinor} that were paid`)
  const keptMinor = isPaid ? minorOf(contract.preview.amount) : 0n
  const backMinor = contract.refunds
    .filter((each) => each.status === 'done')
    .reduce((sum, each) => sum + minorOf(each.amount), 0n)
  // What we told of ourselves the rail does not have: it refunds none of that, and a person is left to look.
  const leftMinor = minorOf(contract.amount_in_suspense)
  if (receivedMinor !== keptMinor + backMinor + leftMinor || leftMinor > toldMinor)
    wrong(`of ${receivedMinor} it keeps ${keptMinor}, gave ${backMinor} back and has ${leftMinor} left`)
  if (toldMinor === 0n && rail.refundedMinor !== backMinor)
    wrong(`the rail gave back ${rail.refundedMinor}, not ${backMinor}`)
  if (contract.attempts.some((each) => ['starting', 'pending', 'processing', 'unknown'].includes(each.status)))
    wrong('an attempt is open')
  return findings
}

/** What the provider took and gave back for the contract's attempts, by its own books. */
async function railTotals({ providerUrl }: Stage, { attempts }: PaymentBody) {
  let [paidMinor, refundedMinor] = [0n, 0n]
  for (const { type, reference } of attempts) {
    const answer = await fetch(`${providerUrl}/${type}/collections/${reference}`)
    if (!answer.ok) continue
    const { totals } = (await answer.json()) as {
      totals: Record<string, { paid_minor: string; refunded_minor: string }>
    }
    paidMinor += BigInt(totals['PHP']?.paid_minor ?? 0)
    refundedMinor += BigInt(totals['PHP']?.refunded_minor ?? 0)
  }
  return { paidMinor, refundedMinor }
}

/** Many refunds of 10.00 at once, of a payment of 1,000.00: as many as it and the wallet afford, and not one more. */
async function parallelRefunds(stage: Stage, findings: string[]): Promise<Record<string, number>> {
  const all: Record<string, number> = {}
  // The fee of 50.00 stays with the rail: a wallet with nothing else affords 95, one with enough 100.
  for (const [fundsMinor, affordable] of [
    [0n, 95],
    [100_000n, 100],
  ] as const) {
    const merchant = await stage.newMerchant(fundsMinor)
    const { contract } = await merchant.ask('POST', '/contracts/payment', {
      amount: 1000,
      currency: 'PHP',
      channel: 'card',
    })
    const id = contract?.id ?? ''
    // At the rail itself, which gives back only what it has.
    await merchant.ask('PUT', `/contracts/payment/${id}/pay`, { type: 'card', card: { token: 'tok_visa' } })
    const replies = await Promise.all(
      Array.from({ length: PARALLEL_REFUNDS }, () =>
        merchant.ask('POST', `/contracts/payment/${id}/refunds`, { amount: 10 }),
      ),
    )
    const count: Record<string, number> = {}
    for (const { status, code } of replies) count[`${status} ${code}`] = (count[`${status} ${code}`] ?? 0) + 1
    const expected = {
      '200 ok': affordable,
      [affordable === 100 ? '409 refund_exceeds_payment' : '402 insufficient_funds']: PARALLEL_REFUNDS - affordable,
    }
    for (const [answer, times] of Object.entries({ ...expected, ...count }))
      if (count[answer] !== times || (expected as Record<string, number>)[answer] !== times)
        findings.push(`parallel refunds: ${answer} ${count[answer] ?? 0} times`)
    for (const [answer, times] of Object.entries(count)) all[answer] = (all[answer] ?? 0) + times
    const [row] = await stage.sql<{ refunded_minor: string }>('select refunded_minor from contracts where id = $1', [
      id,
    ])
    if (row?.refunded_minor !== String(affordable * 1000))
      findings.push(`parallel refunds come to ${row?.refunded_minor}`)
  }
  return all
}

/** The figures in one line, and what was found. */
export function paymentRaceReport(figures: PaymentRaceFigures): string {
  const { contracts, seed, ends, answers, refunds, seconds, findings } = figures
  return [
    `payment races: ${contracts} in ${seconds.toFixed(1)} s, seed ${seed}; ${JSON.stringify(ends)}; cancels answered ${JSON.stringify(answers)}; ${PARALLEL_REFUNDS} parallel refunds twice ${JSON.stringify(refunds)}; findings: ${findings.length}`,
    ...findings.slice(0, 40),
  ].join('\n')
}
