// What is reported late about an attempt, by watchers and inquiries that come to it whenever they do: nothing sets it back behind
// what is booked, and an older look at a chain never replaces a newer one. STORIES=20000 for the long form.
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { CollectionResult, SeenAt } from '../../../src/domain/payment/commands.ts'
import type { PaymentAttempt } from '../../../src/domain/payment/payment.ts'
import { type Dice, diceOf, newSeed } from '../../rig/dice.ts'
import { askPayment, openPayment, type OnePayment } from '../../rig/model/one-payment.ts'
import { cancel, choose, PENDING, processingDue, says, seenOf, telling } from '../../rig/model/payment-commands.ts'

const STORIES = Number(process.env['STORIES'] ?? 2000)
const CONFIRMATIONS = 3
const [PARTS, PART_UNITS] = [4, 100_000n]
const PROCESSING = { ...PENDING, status: 'processing' } as const satisfies CollectionResult

/** A report that is on its way: what it says, of what age, under which lease. */
type Late = { readonly result: CollectionResult; readonly seen: SeenAt; readonly fence: number | null }
type Story = { readonly one: OnePayment; top: number; onTheWay: number[]; readonly late: Late[]; paid: number }

function begun(): Story {
  const one = openPayment(true)
  for (const move of [choose('crypto'), says(PENDING)]) move(one)
  return { one, top: 100, onTheWay: [], late: [], paid: 0 }
}

const attemptIn = ({ one }: Story) => one.payment.attempts[0] as PaymentAttempt
const confirmationsIn = (story: Story) => Number(attemptIn(story).shown['confirmations'] ?? 0)

/** What a watcher sees now: the youngest payment that is on its way. */
function look({ late, top, onTheWay }: Story): void {
  const block = onTheWay.at(-1)
  if (block === undefined) return
  const shown = { confirmations: String(top - block + 1), confirmations_needed: String(CONFIRMATIONS) }
  late.push({ result: { ...PROCESSING, providerId: null, shown }, seen: { by: 'chain', top, block }, fence: null })
}

/** The rail is asked under a lease, and answers as it is now. */
function inquire({ one, late, onTheWay }: Story): void {
  one.nowMs = Math.max(one.nowMs, one.job?.dueAt ?? 0)
  askPayment(one, processingDue(one.payment.id))
  const result = onTheWay.length > 0 ? PROCESSING : PENDING
  late.push({ result, seen: seenOf(one.payment, 1), fence: one.job?.fence ?? null })
}

function mine(story: Story, dice: Dice): void {
  story.top += 1
  if (story.paid >= PARTS || !dice.chance(0.4)) return
  story.paid += 1
  story.onTheWay.push(story.top)
}

/** Books what has its confirmations, as the watcher does that reads the chain on. */
function book({ one, top, onTheWay }: Story): void {
  const [block] = onTheWay
  if (block === undefined || top - block + 1 < CONFIRMATIONS) return
  onTheWay.shift()
  askPayment(one, telling(one, { attempt: 1, assetUnits: PART_UNITS, block, seenAt: one.nowMs }))
}

function report({ one }: Story, { result, seen, fence }: Late): void {
  askPayment(one, { verb: 'report_collection', id: one.payment.id, number: 1, fence, result, seen })
}

/** Whether a report comes too late to count, and what it did to the attempt that it should not have. */
function reportedLate(story: Story, told: Late, newest: number): { isOutdated: boolean; fault: string | null } {
  const before = attemptIn(story)
  report(story, told)
  if (told.seen.by === 'inquiry') return { isOutdated: false, fault: null }
  const { top, block } = told.seen
  const isOutdated = top < newest || (block !== null && block <= (before.chain?.booked ?? 0))
  if (isOutdated) {
    const isSame = isDeepStrictEqual(attemptIn(story), before)
    return { isOutdated, fault: isSame ? null : `it changed by a report of block ${block} at ${top}` }
  }
  // Its figure is its own, and may be less: the youngest payment is what is still waited for.
  const expected = top - (block ?? 0) + 1
  const shows = confirmationsIn(story)
  return { isOutdated, fault: shows === expected ? null : `it shows ${shows} confirmations, not ${expected}` }
}

test(`${STORIES} stories of reports that come late: none sets back what is booked, or shows an older look`, () => {
  const seed = Number(process.env['LATE_SEED'] ?? newSeed())
  const dice = diceOf(seed)
  const faults: string[] = []
  let outdated = 0
  for (let i = 0; i < STORIES; i++) {
    const story = begun()
    let newest = 0
    for (let step = 0; step < 40 || story.late.length > 0 || story.onTheWay.length > 0; step++) {
      const isOver = step >= 40
      const what = dice.pick(isOver ? ['mine', 'book', 'report'] : ['mine', 'look', 'look', 'ask', 'book', 'report'])
      if (what === 'mine') mine(story, dice)
      if (what === 'look') look(story)
      if (what === 'ask' && step % 10 === 0) inquire(story)
      if (what === 'book') book(story)
      const [told] = what === 'report' ? story.late.splice(dice.whole(0, story.late.length - 1), 1) : []
      if (!told) continue
      const { isOutdated, fault } = reportedLate(story, told, newest)
      outdated += isOutdated ? 1 : 0
      if (told.seen.by === 'chain' && !isOutdated) newest = Math.max(newest, told.seen.top)
      if (fault !== null) faults.push(`story ${i}, step ${step}: ${fault}`)
    }
    // All that came is booked, and whoever was late has reported: nothing is on its way.
    const { status, receivedUnits } = attemptIn(story)
    expect([status, receivedUnits, seed]).toEqual(['pending', BigInt(story.paid) * PART_UNITS, seed])
  }
  expect([faults.slice(0, 5), seed]).toEqual([[], seed])
  expect(outdated).toBeGreaterThan(STORIES)
})

test('a block that is undone sets the payment back, whatever was shown before, and a new one counts again', () => {
  const story = begun()
  const { one } = story
  const chain = (top: number, block: number | null) => {
    const shown = { confirmations: String(block === null ? 0 : top - block + 1), confirmations_needed: '3' }
    const status = block === null ? 'pending' : 'processing'
    report(story, { result: { ...PENDING, status, shown }, seen: { by: 'chain', top, block }, fence: null })
    return [attemptIn(story).status, confirmationsIn(story)]
  }
  expect(chain(102, 101)).toEqual(['processing', 2])
  // By a fork that is shorter so far.
  expect(chain(101, null)).toEqual(['pending', 0])
  expect(chain(102, 102)).toEqual(['processing', 1])
  // Of one that is as long as the other was, with the payment in a later block.
  expect(chain(103, 103)).toEqual(['processing', 1])
  expect(one.payment.status).toBe('issued')
})

test('what was shown of a payment whose undoing nobody could tell is put right by the chain’s own book', () => {
  const story = begun()
  const { one } = story
  const chain = (block: number | null) => {
    const result = { ...PENDING, status: block === null ? 'pending' : 'processing', shown: {} } as const
    report(story, { result, seen: { by: 'chain', top: 102, block }, fence: null })
  }
  chain(null)
  // Another watcher looked before, and comes to it now.
  chain(101)
  expect(attemptIn(story).status).toBe('processing')
  const before = { ...seenOf(one.payment, 1), status: 'pending' } as const
  const answer = { result: PENDING, fence: one.job?.fence ?? null }
  report(story, { ...answer, seen: before })
  expect(attemptIn(story).status).toBe('processing')
  report(story, { ...answer, seen: seenOf(one.payment, 1) })
  expect(attemptIn(story).status).toBe('pending')
})

test.each(['voided', 'not_found'] as const)(
  '"%s" from before the payer paid ends nothing, also of a contract that is to be cancelled',
  (kind) => {
    const one = openPayment(true)
    for (const move of [choose('gcash'), says(PENDING)]) move(one)
    cancel(one)
    const asked = seenOf(one.payment, 1)
    const answer = { verb: 'report_collection', id: one.payment.id, number: 1, result: { kind } } as const
    askPayment(one, telling(one, { outcome: 'processing', objectId: 'pi_1' }))
    askPayment(one, { ...answer, fence: one.job?.fence ?? null, seen: asked })
    expect([one.payment.status, one.payment.attempts[0]?.status]).toEqual(['issued', 'processing'])
    // The rail was asked again, and says the same of what it knows now.
    askPayment(one, { ...answer, fence: one.job?.fence ?? null, seen: seenOf(one.payment, 1) })
    expect([one.payment.status, one.payment.attempts[0]?.status]).toEqual(['cancelled', 'cancelled'])
  },
)

test('a rail’s own "processing" is not set back by an answer from before it, nor does it come back after its money', () => {
  const one = openPayment(true)
  for (const move of [choose('gcash'), says(PENDING)]) move(one)
  const asked = seenOf(one.payment, 1)
  const fence = one.job?.fence ?? null
  askPayment(one, telling(one, { outcome: 'processing', objectId: 'pi_1' }))
  const answer = { verb: 'report_collection', id: one.payment.id, number: 1, fence, seen: asked } as const
  askPayment(one, { ...answer, result: { kind: 'not_found' } })
  expect(one.payment.attempts[0]?.status).toBe('processing')
  // Asked again, the rail still does not know it: it gets the same order once more.
  askPayment(one, { ...answer, seen: seenOf(one.payment, 1), result: { kind: 'not_found' } })
  expect(one.payment.attempts[0]?.status).toBe('starting')

  const parts = begun()
  const at = (outcome: 'processing' | 'succeeded') =>
    askPayment(parts.one, telling(parts.one, { outcome, objectId: 'pi_2', attempt: 1, assetUnits: PART_UNITS }))
  at('processing')
  expect(attemptIn(parts).status).toBe('processing')
  at('succeeded')
  at('processing')
  expect(attemptIn(parts).status).toBe('pending')
})
