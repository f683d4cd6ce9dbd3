// Money on its way, whatever order its words come in: random interleavings of workers, rails, callers and clocks.
// The rules are told here in their own words and compared with what decide() did.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConnectorFacts, TransferCommand } from '../../../src/domain/transfer/commands.ts'
import { TRANSFER_MOVES, targetsOf } from '../../../src/domain/transfer/move-table.ts'
import type { Absence, Outcome } from '../../../src/domain/channel/outcome.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { factsOf, unlistedIn } from '../../rig/model/move-rows.ts'
import { ask, balanceOf, type OneContract, paidContract, spentMinor } from '../../rig/model/one-contract.ts'

const RUNS = 600
const HOUR_MS = 3_600_000

type Word = Outcome | Absence
/** Who says it: the holder of the lease, somebody who lost it, the rail's list, a callback, or it is about another attempt. */
type Speaker = 'holder' | 'late holder' | 'news' | 'callback' | 'other attempt'
type Step =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'command'; readonly verb: 'submit' | 'inquire' | 'cancel' | 'expire' | 'pay' | 'issue' }
  | { readonly kind: 'word'; readonly word: Word; readonly speaker: Speaker }

const word: fc.Arbitrary<Word> = fc.oneof(
  fc.constant<Word>({ kind: 'delivered', providerId: null }),
  fc.constant<Word>({ kind: 'accepted', providerId: null }),
  fc.constant<Word>({ kind: 'failed', code: 'account_closed', message: 'Closed.' }),
  fc.constant<Word>({ kind: 'returned', code: 'bounced', message: 'Back.' }),
  fc.constant<Word>({ kind: 'not_sent', reason: 'refused' }),
  { arbitrary: fc.constant<Word>({ kind: 'unknown', reason: 'timeout' }), weight: 3 },
  { arbitrary: fc.constant<Word>({ kind: 'not_found' }), weight: 7 },
)
const speaker = fc.constantFrom<Speaker>(
  'holder',
  'holder',
  'holder',
  'late holder',
  'news',
  'callback',
  'other attempt',
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.constantFrom(1, 1000, 6000, 31_000, HOUR_MS, 90 * HOUR_MS).map((ms) => wait(ms)), weight: 3 },
  {
    arbitrary: fc
      .constantFrom('submit', 'submit', 'inquire', 'cancel', 'expire', 'pay', 'issue')
      .map((verb) => ({ kind: 'command', verb }) as Step),
    weight: 4,
  },
  { arbitrary: fc.record({ kind: fc.constant('word' as const), word, speaker }), weight: 4 },
)
const wait = (ms: number): Step => ({ kind: 'wait', ms })
const lost: Step[] = [
  wait(6000),
  { kind: 'command', verb: 'submit' },
  { kind: 'word', word: { kind: 'unknown', reason: 'timeout' }, speaker: 'holder' },
]
/** Half of the walks begin where doubt begins; from chance alone few would get far into it. */
const beginning = fc.constantFrom<Step[]>([], [], lost, [...lost, { kind: 'command', verb: 'cancel' }])
const walk = fc
  .tuple(beginning, fc.array(step, { maxLength: 40, size: 'max' }))
  .map(([first, rest]) => [...first, ...rest])
const rail: fc.Arbitrary<ConnectorFacts> = fc.record({
  notFoundFinalAfterMs: fc.constantFrom(0, 5000, 60_000, 48 * HOUR_MS),
  dedupeLifetimeMs: fc.constantFrom(null, 10_000, 24 * HOUR_MS),
  inquiry: fc.constant(true),
})

const commandOf = (
  verb: Extract<Step, { kind: 'command' }>['verb'],
  { contract: { id } }: OneContract,
  connector: ConnectorFacts,
): TransferCommand => {
  switch (verb) {
    case 'submit':
      return { verb, id, leaseMs: 15_000, connector }
    case 'inquire':
      return { verb, id, leaseMs: 15_000, connector }
    case 'cancel':
      return { verb, id, reason: null, actor: 'account' }
    case 'pay':
      return { verb, id, preview: null, walletId: null }
    case 'issue':
      return { verb, id, preview: null }
    case 'expire':
      return { verb, id }
  }
}

function reportOf(one: OneContract, said: Word, by: Speaker, connector: ConnectorFacts): TransferCommand {
  const { number, fence } = one.attempt!
  const fenceOf = { holder: fence, 'late holder': fence - 1, news: null, callback: null, 'other attempt': fence }[by]
  return {
    verb: 'report',
    id: one.contract.id,
    number: by === 'other attempt' ? number + 1 : number,
    channelId: one.attempt!.channelId,
    fence: fenceOf,
    outcome: said,
    connector,
    ...(by === 'callback' ? { basis: 'callback' } : {}),
  }
}

const isLive = ({ attempt }: OneContract) => ['queued', 'submitting', 'accepted', 'unknown'].includes(attempt!.status)

/** When inquiries began to find nothing without a word between, and when the rail was last asked to move the money. */
type Search = { sinceMs: number | null; submittedMs: number; firstMs: number | null }

type Run = { readonly one: OneContract; readonly connector: ConnectorFacts; readonly search: Search }

function play({ one, connector, search }: Run, next: Step): void {
  const before = { ...one, balances: new Map(one.balances), events: [...one.events] }
  if (next.kind === 'wait') {
    one.nowMs += next.ms
    return
  }
  const command =
    next.kind === 'command' ? commandOf(next.verb, one, connector) : reportOf(one, next.word, next.speaker, connector)
  const decision = ask(one, command)
  expect(isRefusal(decision) && one.contract !== before.contract, 'a refusal changes nothing').toBe(false)
  moneyIsKept(one)
  historyIsLegal(before, one, command)
  if (next.kind === 'command') onlyWordsMoveMoney(before, one, next.verb)
  else wordsAreHeard(before, one, next)
  absenceProvesLate({ one, connector, search }, before, next)
}

function moneyIsKept(one: OneContract): void {
  const { contract } = one
  for (const account of ['available', 'held', 'in_transit']) expect(balanceOf(one, account)).toBeGreaterThanOrEqual(0n)
  expect(contract.heldMinor).toBe(balanceOf(one, 'held') + balanceOf(one, 'in_transit'))
  expect(balanceOf(one, 'in_transit')).toBe(
    contract.status === 'paid' && one.attempt!.status === 'accepted' ? contract.debitMinor : 0n,
  )
  const received = balanceOf(one, 'clearing:rail')
  const earned = balanceOf(one, 'fee_revenue')
  expect(spentMinor(one)).toBe(contract.heldMinor + received + earned)
  expect([contract.status, contract.heldMinor, received, earned, contract.refund?.amountMinor ?? null]).toEqual(
    whereTheMoneyIs(one),
  )
}

/** Status -> what is held, received, earned and refunded. The one table of all ends. */
function whereTheMoneyIs({ contract }: OneContract) {
  const { status, debitMinor, feeMinor, completedAt } = contract
  const receiveMinor = debitMinor - feeMinor
  switch (status) {
    case 'paid':
      return [status, debitMinor, 0n, 0n, null]
    case 'completed':
      return [status, 0n, receiveMinor, feeMinor, null]
    case 'returned':
      return [status, receiveMinor, 0n, feeMinor, null]
    case 'cancelled':
      return completedAt === null ? [status, 0n, 0n, 0n, debitMinor] : [status, 0n, 0n, feeMinor, receiveMinor]
    case 'draft':
    case 'issued':
    case 'expired':
      return ['a paid contract is never', status]
  }
}

function historyIsLegal(before: OneContract, after: OneContract, command: TransferCommand): void {
  const { contract } = after
  expect(contract.version - before.contract.version).toBe(contract === before.contract ? 0 : 1)
  expect(contract.sequence).toBe(after.events.length + 1)
  expect(after.attempt!.fence).toBeGreaterThanOrEqual(before.attempt!.fence)
  expect(after.attempt!.reference).toBe(before.attempt!.reference)
  if (contract.status !== before.contract.status)
    expect(targetsOf(before.contract.status, command.verb)).toContain(contract.status)
  for (const once of ['contract.completed', 'contract.cancelled', 'contract.returned'])
    expect(after.events.filter((event) => event === once).length).toBeLessThanOrEqual(1)
  // Never both: what was completed is given back only after the rail itself gave it back.
  if (contract.refund && contract.completedAt !== null) expect(after.events).toContain('contract.returned')
}

/** Callers, workers and clocks refund what was never sent, what failed and what came back; nothing else. */
function onlyWordsMoveMoney(before: OneContract, after: OneContract, verb: string): void {
  const { status } = before.attempt!
  const isOpen = status === 'submitting' || status === 'accepted' || status === 'unknown'
  if (before.contract.status === 'paid' && isOpen) expect(after.balances).toEqual(before.balances)
  if (status === 'unknown') expect(after.attempt!.status).toBe('unknown')
  if (status === 'accepted') expect(after.attempt!.status).toBe('accepted')
  if (status === 'submitting')
    expect(after.attempt!.status).toBe(
      verb === 'inquire' && before.attempt!.dueAt! <= before.nowMs ? 'unknown' : 'submitting',
    )
  // One holder at a time: what is leased cannot be taken again before the lease is over.
  if (after.attempt!.fence > before.attempt!.fence) expect(before.attempt!.dueAt).toBeLessThanOrEqual(before.nowMs)
  if (verb === 'expire' || verb === 'pay' || verb === 'issue') expect(after.contract).toBe(before.contract)
}

function wordsAreHeard(
  before: OneContract,
  after: OneContract,
  { word: said, speaker: by }: Extract<Step, { kind: 'word' }>,
): void {
  // From an earlier holder only that the money went is heard, or that the rail has what was given up.
  const isProof = said.kind === 'delivered' || (said.kind === 'accepted' && before.attempt!.status === 'voided')
  const isStale = by === 'other attempt' || (by === 'late holder' && !isProof)
  if (isStale) {
    expect(after.contract).toBe(before.contract)
    expect(after.attempt).toBe(before.attempt)
    return
  }
  if (by === 'callback' && (said.kind === 'failed' || said.kind === 'returned')) return onlyKept(before, after)
  if (before.contract.status !== 'paid' || !isLive(before)) return
  const wasPending = before.contract.cancellation?.status === 'pending'
  if (said.kind === 'delivered') {
    expect(after.contract.status).toBe('completed')
    expect(after.contract.cancellation?.status ?? null).toBe(wasPending ? 'refused' : null)
  } else if (said.kind === 'failed' || said.kind === 'returned') {
    expect(after.contract.status).toBe(wasPending || after.refundsAtOnce ? 'cancelled' : 'paid')
    expect(after.attempt!.status).toBe('failed')
    if (wasPending) expect(after.contract.cancellation?.status).toBe('done')
  } else if (said.kind === 'not_sent' && before.attempt!.status === 'submitting') {
    expect(after.contract.status).toBe(wasPending ? 'cancelled' : 'paid')
    expect(after.attempt!.status).toBe(wasPending ? 'voided' : 'queued')
  } else if (said.kind === 'unknown' || said.kind === 'accepted') {
    expect(after.contract.status).toBe('paid')
    expect(after.balances.get('available')).toBe(before.balances.get('available'))
  }
  // No answer is no reason to be slow: a rail that comes back is heard within a minute.
  const isUnanswered = said.kind === 'unknown' || said.kind === 'not_sent'
  const waitMs = (after.attempt!.dueAt ?? after.nowMs) - after.nowMs
  if (isUnanswered) expect(waitMs).toBeLessThanOrEqual(60_000)
  if (wasPending && after.contract.status === 'paid') expect(after.contract.cancellation?.status).toBe('pending')
}

/** What a callback says that would give money back moves none and ends nothing; at most it is written down. */
function onlyKept(before: OneContract, after: OneContract): void {
  expect(after.balances).toEqual(before.balances)
  expect(after.attempt!.status).toBe(before.attempt!.status)
  const { status, heldMinor, refund, completedAt } = before.contract
  expect(after.contract).toMatchObject({ status, heldMinor, refund, completedAt })
}

/** "Not found" refunds or sends again only after twice the finality delay, and never beyond the rail's memory. */
function absenceProvesLate({ one, connector, search }: Run, before: OneContract, next: Step): void {
  const wasUnknown = before.contract.status === 'paid' && before.attempt!.status === 'unknown'
  const isHeard = next.kind === 'word' && ['holder', 'news', 'callback'].includes(next.speaker)
  const isTaken = next.kind === 'command' && next.verb === 'inquire' && one.attempt!.fence > before.attempt!.fence
  const isCounted = isHeard && next.word.kind === 'not_found'
  // Whatever comes later than it was due counts for no more than if it had come in time.
  if (search.sinceMs !== null && before.attempt!.dueAt !== null && (isTaken || isCounted))
    search.sinceMs += Math.max(0, one.nowMs - before.attempt!.dueAt)
  if (one.attempt!.status === 'submitting' && before.attempt!.status === 'queued') {
    search.submittedMs = one.nowMs
    search.firstMs ??= one.nowMs
  }
  if (one.attempt!.status === 'queued' && before.attempt!.status === 'submitting') {
    // Not one byte went in this call; of one before nobody knows.
    if (search.firstMs === search.submittedMs) search.firstMs = null
    search.submittedMs = search.firstMs ?? 0
  }
  if (!wasUnknown || !isHeard || next.word.kind !== 'not_found') {
    const isUnanswered = isHeard && (next.word.kind === 'unknown' || next.word.kind === 'not_sent')
    if (one.attempt!.status !== 'unknown' || isUnanswered) search.sinceMs = null
    return
  }
  const first = search.sinceMs === null
  search.sinceMs ??= one.nowMs
  const isFinal =
    !first && one.nowMs >= Math.max(search.sinceMs, search.submittedMs) + 2 * connector.notFoundFinalAfterMs
  const isRemembered =
    connector.dedupeLifetimeMs === null || one.nowMs - (search.firstMs ?? 0) < connector.dedupeLifetimeMs
  const isPending = before.contract.cancellation?.status === 'pending'
  const expected = !isFinal ? 'unknown' : isPending ? 'voided' : isRemembered ? 'queued' : 'unknown'
  expect(one.attempt!.status).toBe(expected)
  expect(one.contract.status).toBe(expected === 'voided' ? 'cancelled' : 'paid')
  if (expected !== 'unknown') search.sinceMs = null
}

/** Once the rail tells the truth, everything ends, and as the rail says. */
function endsWith(run: Run, truth: 'delivered' | 'failed'): void {
  const { one } = run
  for (let look = 0; look < 20 && one.contract.status === 'paid' && isLive(one); look += 1) {
    one.nowMs = Math.max(one.nowMs, one.attempt!.dueAt!)
    play(run, { kind: 'command', verb: one.attempt!.status === 'queued' ? 'submit' : 'inquire' })
    const said: Word =
      truth === 'delivered'
        ? { kind: 'delivered', providerId: null }
        : { kind: 'failed', code: 'account_closed', message: 'Closed.' }
    play(run, { kind: 'word', word: said, speaker: 'holder' })
  }
  if (one.contract.status === 'paid' || one.contract.status === 'returned')
    play(run, { kind: 'command', verb: 'cancel' })
  expect(['completed', 'cancelled']).toContain(one.contract.status)
  expect(one.contract.cancellation?.status ?? 'none').not.toBe('pending')
  expect(one.contract.heldMinor).toBe(0n)
}

test('whatever is said in whatever order, the money is in one place and every contract can end', () => {
  const seen = new Map<string, number>()
  const decided = new Set<string>()
  fc.assert(
    fc.property(
      fc.boolean(),
      rail,
      walk,
      fc.constantFrom('delivered', 'failed'),
      (refundsAtOnce, connector, steps, truth) => {
        const one = paidContract(refundsAtOnce)
        const run: Run = { one, connector, search: { sinceMs: null, submittedMs: one.nowMs, firstMs: null } }
        for (const next of steps) {
          play(run, next)
          seen.set(one.attempt!.status, (seen.get(one.attempt!.status) ?? 0) + 1)
        }
        endsWith(run, truth)
        for (const each of one.steps) decided.add(factsOf(each))
      },
    ),
    { numRuns: RUNS },
  )
  // The walk is worth something only if it gets everywhere.
  const everywhere = ['queued', 'submitting', 'accepted', 'unknown', 'delivered', 'failed', 'voided', 'returned']
  expect(everywhere.filter((status) => (seen.get(status) ?? 0) < 20)).toEqual([])
  expect(unlistedIn(TRANSFER_MOVES, decided)).toEqual([])
})
