// Runs one story on the model and on a driver (the decisions alone, or a whole gateway), and compares them after each step.
import {
  attemptEnds,
  attemptNamed,
  cameBack,
  cancel,
  choose,
  chosenLast,
  expire,
  type Fact,
  isBalanced,
  type Kind,
  type Model,
  mustClose,
  newModel,
  type Prices,
  refund,
  tell,
} from './payments-model.ts'
import type { Closing, Opening, Step, Story } from './payments-steps.ts'

/** What a rail says of an attempt that it is asked about; the model hears it at the same moment. */
export type Asked = (number: number) => Closing | 'open'

export type Ended = {
  readonly from: 'payment' | 'suspense'
  readonly amountMinor: bigint
  readonly status: 'done' | 'failed'
}

/** Where a contract lives. What may be refused answers 'ok' or the code of the refusal. */
export type Driver = {
  /** Where time cannot be made to pass, a contract that is still open is cancelled at the end of its story. */
  readonly clock: 'made to pass' | 'real'
  readonly expiresAt: number
  readonly nowMs: () => number
  readonly choose: (kind: Kind, word: Opening) => Promise<string>
  readonly tell: (fact: Fact) => Promise<string>
  readonly cancel: (asked: Asked) => Promise<string>
  readonly tend: (asked: Asked) => Promise<void>
  readonly wait: (seconds: number) => Promise<void>
  readonly expire: () => Promise<void>
  readonly refund: (amountMinor: bigint | null, hasRoute: boolean) => Promise<string>
  /** Ends one transfer that gives money back; none where none is open. */
  readonly giveBack: (ends: 'delivered' | 'failed') => Promise<readonly Ended[]>
  readonly look: () => Promise<Seen>
}

/** The contract, its money and its books, as whoever keeps them says. */
export type Seen = {
  readonly status: 'issued' | 'paid' | 'completed' | 'cancelled' | 'expired'
  readonly receivedMinor: bigint
  readonly paidMinor: bigint
  readonly feeMinor: bigint
  readonly refundedMinor: bigint
  /** By currency: in suspense, and given back from there. */
  readonly strayMinor: ReadonlyMap<string, bigint>
  /** How many amounts of any currency wait in suspense. */
  readonly waiting: number
  readonly openGiveBacks: number
  /** The booked amounts by their id, and how often each was booked. */
  readonly booked: ReadonlyMap<
    string,
    { readonly amountMinor: bigint; readonly currency: string; readonly times: number }
  >
  readonly live: readonly boolean[]
  /** What its own books find wrong. */
  readonly unsound: readonly string[]
}

export type Outcome = { readonly model: Model; readonly seen: Seen; readonly steps: number }

/** After this long a rail that is asked and says no end is no longer waited for (docs/payments.md). */
const EXPIRY_GRACE_MS = 15 * 60_000
/** And after this it no longer asks a rail that gives no word on what is over: late money is told. */
const CLOSING_FOR_MS = 72 * 3_600_000
const LOOKS_MAX = 60
const ROUNDS_MIN = { 'made to pass': 2, real: 1 } as const

/** Thrown where the two say different things. */
class Diverged extends Error {
  override readonly name = 'Diverged'
}

/** The end of the story. Throws {@link Diverged}. */
export async function runStory(story: Story, prices: Prices, driver: Driver): Promise<Outcome> {
  const model = newModel(story.amountMinor, driver.expiresAt, prices)
  const told = new Map<string, Fact>()
  let steps = 0
  for (const step of story.steps) {
    // An event that came before changes nothing: what it did all the same is seen at the next look.
    const isRepeat = step.do === 'tell' && model.events.has(step.fact.eventId)
    const [expected, answered] = await take(step, story, model, driver, told)
    steps += 1
    if (isRepeat && expected === answered) continue
    const seen = await driver.look()
    const faults = [
      ...(expected === answered ? [] : [`answered ${answered}, not ${expected}`]),
      ...faultsOf(model, seen, driver),
    ]
    if (faults.length > 0) throw new Diverged(`step ${steps}, ${step.do}: ${faults.join('; ')}`)
  }
  const seen = await finish(model, driver)
  const faults = [...faultsOf(model, seen, driver), ...unfinished(model, seen, driver)]
  if (faults.length > 0) throw new Diverged(`at the end: ${faults.join('; ')}`)
  return { model, seen, steps }
}

type Answers = readonly [expected: string, answered: string]

async function take(step: Step, story: Story, model: Model, driver: Driver, told: Map<string, Fact>): Promise<Answers> {
  const now = driver.nowMs()
  switch (step.do) {
    case 'choose': {
      const before = model.attempts.length
      const expected = choose(model, step.kind, now)
      const answered = await driver.choose(step.kind, step.word)
      const fresh = model.attempts.length > before ? model.attempts.at(-1) : undefined
      if (fresh && step.word === 'failed') attemptEnds(model, fresh, now)
      if (fresh && step.word === 'unknown') model.doubted = true
      return [expected, answered]
    }
    case 'tell': {
      const fact = concrete(step.fact, model, told)
      tell(model, fact, now)
      return ['ok', await driver.tell(fact)]
    }
    case 'cancel': {
      const expected = cancel(model, now)
      return [expected, await driver.cancel(askedBy(model, driver, step.word))]
    }
    case 'process_due':
      await driver.tend(askedBy(model, driver, step.word))
      return ['ok', step.word === 'voided' && isLeftOpen(model, now) ? 'with an attempt that nobody closed' : 'ok']
    case 'wait':
      await driver.wait(step.seconds)
      return ['ok', 'ok']
    case 'expire':
      expire(model, now, 'if nothing is open')
      await driver.expire()
      return ['ok', 'ok']
    case 'refund': {
      const amountMinor = amountOf(step.share, model)
      const expected = refund(model, amountMinor, step.hasRoute, story.openingMinor)
      return [expected, await driver.refund(amountMinor, step.hasRoute)]
    }
    case 'give back':
      for (const { status, from, amountMinor } of await driver.giveBack(step.ends))
        if (status === 'failed') cameBack(model, from, amountMinor)
      return ['ok', 'ok']
  }
}

/** Where no rail ever left a doubt, what is to be closed is closed as soon as somebody looks. */
function isLeftOpen(model: Model, nowMs: number): boolean {
  return !model.doubted && model.attempts.some((attempt) => mustClose(model, attempt, nowMs))
}

/**
 * Whether the clock may end it: after three days where a rail said that money is on its way; and never before each open attempt was asked
 * about since its time was over. How often it is asked then, the gateway says.
 */
function mayEnd({ attempts, expiresAt }: Model, nowMs: number): boolean {
  const open = attempts.filter(({ live }) => live)
  const isOnItsWay = open.some(({ processing }) => processing)
  const isLate = nowMs >= expiresAt + (isOnItsWay ? CLOSING_FOR_MS : EXPIRY_GRACE_MS)
  return isLate && open.every(({ askedLate }) => askedLate)
}

function askedBy(model: Model, driver: Driver, word: Closing): Asked {
  return (number) => {
    const now = driver.nowMs()
    const attempt = model.attempts[number - 1]
    if (!attempt || !mustClose(model, attempt, now)) return 'open'
    attempt.askedLate ||= now >= model.expiresAt
    if (word === 'voided') attemptEnds(model, attempt, now)
    else model.doubted = true
    if (word !== 'voided' && now > model.expiresAt + CLOSING_FOR_MS) model.leftOpen = true
    return word
  }
}

/** Fixes what a fact says when it is first told: from then on its money, and its bytes, are the same. */
function concrete(fact: Fact, model: Model, told: Map<string, Fact>): Fact {
  const known = told.get(fact.objectId)
  const attempt = attemptNamed(model, fact)
  const dueMinor = attempt?.dueMinor ?? chosenLast(model)?.dueMinor ?? model.amountMinor
  const fixed = known ?? { ...fact, amountMinor: dueMinor + fact.amountMinor, kind: attempt?.kind ?? fact.kind }
  told.set(fact.objectId, fixed)
  return { ...fixed, eventId: fact.eventId }
}

function amountOf(
  share: 'a part' | 'all' | 'too much',
  { paidMinor, refundedMinor, amountMinor }: Model,
): bigint | null {
  const leftMinor = paidMinor - refundedMinor
  if (share === 'all') return null
  if (share === 'too much') return leftMinor + 1n
  return leftMinor === 0n ? amountMinor / 3n : leftMinor / 3n + 1n
}

/** Time passes, rails answer, transfers end, until nothing changes any more. */
async function finish(model: Model, driver: Driver): Promise<Seen> {
  const asked = askedBy(model, driver, 'voided')
  if (driver.clock === 'real' && model.status === 'issued') {
    cancel(model, driver.nowMs())
    await driver.cancel(asked)
  }
  let before = ''
  for (let i = 0; i < LOOKS_MAX; i++) {
    if (driver.clock === 'made to pass') await driver.wait(i === 0 ? 1 : 3 * 86_400)
    await driver.tend(asked)
    const ended = await driver.giveBack('delivered')
    for (const { status, from, amountMinor } of ended) if (status === 'failed') cameBack(model, from, amountMinor)
    expire(model, driver.nowMs(), 'if nothing is open')
    await driver.expire()
    const seen = await driver.look()
    const now = text(seen)
    if (now === before && i >= ROUNDS_MIN[driver.clock]) return seen
    before = now
  }
  throw new Diverged('it never comes to rest')
}

const text = (value: Seen) =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? `${each}` : each instanceof Map ? [...each] : each,
  )

/** What is different, in words. */
function faultsOf(model: Model, seen: Seen, driver: Pick<Driver, 'nowMs'>): string[] {
  const now = driver.nowMs()
  // The sweep, or whatever looked at the contract since, may have ended it; it need not have.
  if (seen.status === 'expired') expire(model, now, mayEnd(model, now) ? 'forced' : 'if nothing is open')
  const faults: string[] = []
  const same = (what: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) faults.push(`${what} is ${String(theirs)}, not ${String(ours)}`)
  }
  same('status', model.status, seen.status === 'completed' ? 'paid' : seen.status)
  if (seen.status === 'completed' && now < model.settlesAt) faults.push('it settled before its time')
  same('received', model.receivedMinor, seen.receivedMinor)
  same('paid', model.paidMinor, seen.paidMinor)
  same('refunded', model.refundedMinor, seen.refundedMinor)
  if (model.status === 'paid') same('fee', model.feeMinor, seen.feeMinor)
  for (const currency of ['PHP', 'USD'])
    same(`stray ${currency}`, model.stray.get(currency) ?? 0n, seen.strayMinor.get(currency) ?? 0n)
  same('amounts booked', model.booked.size, seen.booked.size)
  for (const [id, { amountMinor, currency }] of model.booked) {
    const { times, ...theirs } = seen.booked.get(id) ?? { amountMinor: 0n, currency: 'nothing', times: 0 }
    same(`money ${id}`, `${currency} ${amountMinor}`, `${theirs.currency} ${theirs.amountMinor}`)
    same(`bookings of ${id}`, 1, times)
  }
  same('open attempts', model.attempts.map(({ live }) => live).join(), seen.live.join())
  if (!isBalanced(model)) faults.push('the model itself is not balanced')
  return [...faults, ...seen.unsound]
}

function unfinished(model: Model, { status, live, waiting, openGiveBacks }: Seen, { clock }: Driver): string[] {
  const left: string[] = []
  if (status === 'issued' || (status === 'paid' && clock === 'made to pass')) left.push(`it stays ${status}`)
  if (live.includes(true) && !model.leftOpen) left.push('an attempt stays open')
  if (openGiveBacks > 0) left.push(`${openGiveBacks} transfers that give back stay open`)
  if (!model.held && waiting > 0) left.push(`${waiting} amounts stay in suspense, though there is a way back`)
  return left
}
