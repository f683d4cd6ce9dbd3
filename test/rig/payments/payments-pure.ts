// One payment contract in the write path's own world, without a database: commands are decided and applied as a batch would,
// and nothing is stored. Events go through the same reading and matching as those that come over the wire.
import { noRules } from '../../../src/engine/rules-state.ts'
import { PLAIN_WALLET } from '../wallet-settings.ts'
import type { Facts } from '../../../src/domain/contract/decision.ts'
import { decide } from '../../../src/domain/transfer/decide.ts'
import type { PlainCommand } from '../../../src/domain/transfer/commands.ts'
import type { ChannelBook } from '../../../src/domain/channel/channel.ts'
import { channelFacts } from '../../../src/domain/channel/config.ts'
import { matchOf, paymentReportOf } from '../../../src/domain/payment/provider-events.ts'
import { dueAttempt } from '../../../src/domain/payment/decision.ts'
import { invariant } from '../../../src/domain/invariant.ts'
import type { CollectionResult, LookedReceipt } from '../../../src/domain/payment/commands.ts'
import { fixedText } from '../../../src/domain/money/money.ts'
import { isLiveAttempt, type Payment, type Receipt } from '../../../src/domain/payment/payment.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'
import type { CommandRequest } from '../../../src/engine/command-request.ts'
import { isAbout, transferAsLoaded } from '../../../src/engine/command-table.ts'
import { afterRefund, onPayment, openPayment, parentOf, takeIn } from '../../../src/engine/payment-commands.ts'
import {
  applyDecision,
  type Changes,
  noChanges,
  rowKey,
  walletOf,
  type BatchState,
} from '../../../src/engine/batch-state.ts'
import type { LedgerRow } from '../../../src/ledger/wallets.ts'
import { seenOf } from '../model/payment-commands.ts'
import { eventOf, PAYER } from './payments-events.ts'
import type { Fact } from './payments-model.ts'
import type { Asked, Driver, Ended, Seen } from './payments-run.ts'
import { CHANNELS } from './payments-channels.ts'
import type { Opening, Story } from './payments-steps.ts'

// Each with a version of its own, so that one taken for another's is not found.
const FACTS = CHANNELS.map((config, i) => channelFacts(config, i + 1, 'test'))
const BOOK: ChannelBook = {
  current: (id) => FACTS.find((each) => each.id === id),
  at: (id, version) => FACTS.find((each) => each.id === id && each.version === version),
  all: () => FACTS,
}
const ACCOUNT = '01890000-0000-7000-8000-0000000000aa'
const ID = '01890000-0000-7000-8000-000000000001'
const HEAD = { lane: 0, accountId: ACCOUNT, position: 0, epoch: 1, livemode: false, timeZone: 'UTC' }
const [LEASE_MS, LOOKS_MAX] = [30_000, 40]
const CONNECTOR = { notFoundFinalAfterMs: 0, dedupeLifetimeMs: null, inquiry: true }

type State = { world: BatchState; readonly ledger: LedgerRow[]; readonly bookings: Map<string, number>; made: number }

/** Opens the contract of a story. */
export function openPure(story: Story): Driver {
  let nowMs = 1_800_000_000_000
  let seen: (Seen & { readonly position: number }) | null = null
  const state: State = { world: emptyWorld(nowMs, story.openingMinor), ledger: [], bookings: new Map(), made: 0 }
  const run = <T>(work: (world: BatchState) => T): T => {
    const changes = noChanges()
    state.world = { ...state.world, nowMs, changes }
    const answer = work(state.world)
    keep(state, changes)
    return answer
  }
  const command = (asked: CommandRequest['command']) => run((world) => step(world, askOf(asked)))
  opened(run, story)
  const payment = () => paymentIn(state.world)
  const leased = () => state.world.jobs.get(rowKey(ACCOUNT, ID))?.fence ?? 0
  const say = (number: number, result: CollectionResult) => {
    const how = { number, fence: leased(), result, seen: seenOf(payment(), number) }
    command({ verb: 'report_collection', id: ID, ...how })
  }
  const facts = new Map<string, Fact>()
  const due = { verb: 'process_due', id: ID, leaseMs: LEASE_MS, found: null } as const
  const lookFor = (receipt: Receipt) => {
    const found = foundOf(facts.get(receipt.objectId), receipt)
    command({ ...due, looked: { objectId: receipt.objectId, fence: leased(), found } })
    return 'done' as const
  }
  const errand = (asked: Asked): 'done' | 'nothing to do' => {
    const fence = leased()
    const before = payment().version
    const answer = run((world) => onPayment(world, BOOK, askOf(due), paymentIn(world), due))
    if (!isRefusal(answer) && answer.toLookFor) return lookFor(answer.toLookFor)
    if (leased() === fence) return payment().version === before ? 'nothing to do' : 'done'
    const tries = state.world.jobs.get(rowKey(ACCOUNT, ID))?.tries ?? 0
    const attempt = dueAttempt(payment(), nowMs, tries)
    invariant(attempt !== undefined, 'a lease is for an attempt')
    say(attempt.number, wordOf(asked(attempt.number)))
    return 'done'
  }
  return {
    clock: 'made to pass',
    expiresAt: payment().expiresAt,
    nowMs: () => nowMs,
    choose: async (kind, word) => {
      const before = payment().attempts.length
      const method = { kind, details: kind === 'qr' ? { scheme: 'qrph' } : {}, secret: null }
      const answer = command({ verb: 'choose', id: ID, method, actor: 'payer', leaseMs: LEASE_MS })
      if (payment().attempts.length > before) say(payment().attempts.length, openingWord(word))
      return answer
    },
    tell: async (fact) => {
      facts.set(fact.objectId, fact)
      return tellIn(run, fact)
    },
    cancel: async (asked) => {
      const answer = command({ verb: 'cancel', id: ID, reason: null, actor: 'account' })
      if (answer === 'ok' && payment().status === 'issued') errand(asked)
      return answer
    },
    tend: async (asked) => {
      for (let i = 0; i < LOOKS_MAX; i++) if (errand(asked) === 'nothing to do') return
    },
    wait: async (seconds) => {
      nowMs += seconds * 1000
    },
    expire: async () => void command({ verb: 'expire', id: ID }),
    refund: async (amountMinor, hasRoute) => {
      state.made += 1
      const amount = amountMinor === null ? null : Number(amountMinor) / 100
      const route = hasRoute ? { channelId: PAYER.channel, recipient: PAYER.recipient } : null
      return command({
        verb: 'refund',
        id: ID,
        transferId: idOf(state.made),
        amount,
        reason: null,
        route,
        allowed: 'may not pay',
      })
    },
    giveBack: async (ends) => giveBack(state, run, payment, ends),
    look: async () => {
      // Every change of a contract is a row of history: without one there is nothing new to see.
      const { position } = state.world.accounts.get(ACCOUNT) ?? { position: 0 }
      if (seen?.position !== position) seen = { position, ...look(state) }
      return seen
    },
  }
}

const idOf = (number: number) => `01890000-0000-7000-8000-${(number + 0x1000).toString(16).padStart(12, '0')}`
const OWNER = { lane: 0, accountId: ACCOUNT, keyId: null, idempotency: null }
const askOf = (command: CommandRequest['command']): CommandRequest => ({ ...OWNER, command })

function emptyWorld(nowMs: number, openingMinor: bigint): BatchState {
  const wallets = ['PHP', 'USD'].map((currency) => {
    const none = {
      ...PLAIN_WALLET,
      heldMinor: 0n,
      inTransitMinor: 0n,
      pendingMinor: 0n,
      suspenseMinor: 0n,
      sequence: 0,
    }
    const availableMinor = currency === 'PHP' ? openingMinor : 0n
    return { lane: 0, accountId: ACCOUNT, id: `wallet ${currency}`, currency, availableMinor, ...none }
  })
  const failures = { refundsAtOnce: true, retries: 0, fallbackChannels: [], returnsAtOnce: true }
  const unsaid = { transferExpirySeconds: null, paymentExpirySeconds: null, policiesAt: null, policiesLookAt: null }
  const head = { ...HEAD, ...failures, ...unsaid }
  return {
    nowMs,
    accounts: new Map([[ACCOUNT, head]]),
    held: new Set(),
    contracts: new Map(),
    wallets: new Map(wallets.map((wallet) => [rowKey(ACCOUNT, wallet.id), wallet])),
    liveKeys: new Map(),
    adopted: new Map(),
    adoptedReturns: new Map(),
    spending: new Map(),
    known: new Map(),
    credited: new Set(),
    jobs: new Map(),
    events: new Map(),
    receipts: new Map(),
    rules: noRules(),
    changes: noChanges(),
  }
}

type Run = <T>(work: (world: BatchState) => T) => T

function opened(run: Run, { amountMinor, expiresInSeconds }: Story): void {
  const terms = {
    amountMinor,
    currency: 'PHP',
    issuedTo: null,
    description: null,
    deliverable: null,
    recipient: null,
    channelId: null,
  }
  const command = {
    verb: 'create_payment',
    walletId: null,
    id: ID,
    livemode: false,
    terms,
    expiresInSeconds,
    returnUrl: null,
  } as const
  const rest = { method: null, preview: null, warnings: [], leaseMs: LEASE_MS }
  const asked = { ...command, ...rest }
  const answer = run((world) => openPayment(world, BOOK, askOf(asked), asked))
  if (isRefusal(answer)) throw new Error(answer.message)
}

/** What a batch would have stored: the money that was booked, and the rows that moved it. */
function keep(state: State, { ledger, events }: Changes): void {
  state.ledger.push(...ledger)
  for (const { receipt } of events.values())
    if (receipt) state.bookings.set(receipt.objectId, (state.bookings.get(receipt.objectId) ?? 0) + 1)
}

function paymentIn({ contracts }: BatchState): Payment {
  const contract = contracts.get(rowKey(ACCOUNT, ID))?.contract
  invariant(contract?.kind === 'payment', 'the contract of the story is there')
  return contract
}

function step(world: BatchState, ask: CommandRequest): string {
  const { command } = ask
  invariant(isAbout('payment', command) && command.verb !== 'create_payment', 'a command about a payment')
  const answer = onPayment(world, BOOK, ask, paymentIn(world), command)
  return isRefusal(answer) ? answer.code : 'ok'
}

function openingWord(word: Opening): CollectionResult {
  if (word === 'failed') return { kind: 'failed', code: 'declined', message: 'The rail said no.' }
  if (word === 'unknown') return { kind: 'unknown', reason: 'no answer' }
  return { kind: 'open', status: 'pending', providerId: null, nextAction: null, shown: {} }
}

function wordOf(word: ReturnType<Asked>): CollectionResult {
  if (word === 'voided') return { kind: word }
  if (word === 'still_open') return { kind: word, status: 'pending' }
  return openingWord(word)
}

/** What its rail says of an amount when it is looked for. */
function foundOf(fact: Fact | undefined, { objectId: id, amountMinor, currency }: Receipt): LookedReceipt {
  if (fact?.atRail === 'no answer') return { kind: 'unknown', reason: 'no answer' }
  if (fact?.atRail !== 'known') return { kind: 'not_found' }
  const payer = { channelId: PAYER.channel, recipient: PAYER.recipient }
  return { kind: 'received', money: { id, amountDecimal: fixedText(amountMinor, currency), currency, payer } }
}

function tellIn(run: Run, fact: Fact): string {
  const event = eventOf(fact, ID)
  const told = paymentReportOf({ ...event, object: event.data.object })
  const known = { payments: new Set([ID]), intent: null, byReference: [] }
  const match = told && matchOf(told.names, known)
  const { id, type } = event
  const kept = { id, type, body: '', bodyHash: JSON.stringify(event.data) }
  const report = told && { ...told.report, attempt: match?.attempt ?? null }
  const command = {
    verb: 'receive',
    id: match?.contractId ?? null,
    event: kept,
    report,
    unallocated: 'suspense',
  } as const
  const answer = run((world) => takeIn(world, BOOK, askOf(command), command))
  return isRefusal(answer) ? answer.code : 'ok'
}

function giveBack(state: State, run: Run, payment: () => Payment, ends: 'delivered' | 'failed'): Ended[] {
  const open = payment().refunds.find((each) => each.status === 'open')
  if (!open) return []
  const { transferId: id, from, amountMinor } = open
  const transfer = (command: PlainCommand) => run((world) => onTransfer(world, askOf(command), command))
  transfer({ verb: 'submit', id, leaseMs: LEASE_MS, connector: CONNECTOR })
  const attempt = state.world.jobs.get(rowKey(ACCOUNT, id))
  invariant(attempt?.kind === 'payout', 'a transfer that is paid has an attempt')
  const outcome =
    ends === 'delivered'
      ? ({ kind: 'delivered', providerId: null } as const)
      : ({ kind: 'failed', code: 'closed', message: 'The account is closed.' } as const)
  const { number, channelId, fence } = attempt
  transfer({ verb: 'report', id, number, channelId, fence, outcome, connector: CONNECTOR })
  const now = payment().refunds.find((each) => each.transferId === id)?.status
  invariant(now === 'done' || now === 'failed', 'a transfer that ended is known by its payment contract')
  return [{ from, amountMinor, status: now }]
}

function onTransfer(world: BatchState, ask: CommandRequest, command: PlainCommand): void {
  const before = world.contracts.get(rowKey(ACCOUNT, command.id))?.contract
  invariant(before?.kind === 'transfer', 'the transfer is there')
  const job = world.jobs.get(rowKey(ACCOUNT, command.id))
  const facts: Facts = {
    nowMs: world.nowMs,
    channels: BOOK,
    wallet: (walletId, currency) => walletOf(world, ACCOUNT, walletId, currency),
    attempt: job?.kind === 'payout' ? job : null,
    refundsAtOnce: true,
    onFailure: { retries: 0, fallbackChannels: [] },
    parent: parentOf(world, before),
  }
  const decision = decide(before, command, transferAsLoaded(command, before.id, before, facts))
  if (isRefusal(decision)) throw new Error(decision.message)
  applyDecision(world, before, decision)
  afterRefund(world, BOOK, ask, before, decision.after)
}

function look(state: State): Seen {
  const { world, bookings } = state
  const payment = paymentIn(world)
  const { status, receivedMinor, paidMinor, feeMinor, refundedMinor, attempts, refunds } = payment
  const receipts = [...world.receipts.values()].filter((each) => each.reason !== 'return_failed')
  const strayMinor = new Map<string, bigint>()
  const add = (currency: string, minor: bigint) => strayMinor.set(currency, (strayMinor.get(currency) ?? 0n) + minor)
  for (const receipt of world.receipts.values()) add(receipt.currency, receipt.suspenseMinor)
  for (const each of refunds)
    if (each.from === 'suspense' && each.status !== 'failed') add(each.currency, each.amountMinor)
  const booked = receipts.map((each) => {
    const { objectId, amountMinor, currency } = each
    return [objectId, { amountMinor, currency, times: bookings.get(objectId) ?? 0 }] as const
  })
  return {
    status,
    receivedMinor,
    paidMinor,
    feeMinor,
    refundedMinor,
    strayMinor,
    waiting: [...world.receipts.values()].filter((each) => each.suspenseMinor > 0n).length,
    openGiveBacks: refunds.filter((each) => each.status === 'open').length,
    booked: new Map(booked),
    live: attempts.map(isLiveAttempt),
    unsound: unsoundness(state, payment),
  }
}

/** The books of the story: each balance is its rows, and each account holds what the contracts say. */
function unsoundness({ world, ledger }: State, payment: Payment): string[] {
  const faults: string[] = []
  // As the database checks each receipt.
  for (const { objectId, amountMinor, suspenseMinor } of world.receipts.values())
    if (suspenseMinor < 0n || suspenseMinor > amountMinor)
      faults.push(`${objectId}: ${suspenseMinor} of ${amountMinor} is in suspense`)
  const same = (what: string, contracts: bigint, rows: bigint) => {
    if (contracts !== rows) faults.push(`${what}: contracts say ${contracts}, the ledger ${rows}`)
  }
  const sum = (currency: string, account: (name: string) => boolean) =>
    ledger
      .filter(({ walletId }) => walletId === `wallet ${currency}`)
      .reduce(
        (total, row) =>
          total + (account(row.credit) ? row.amountMinor : 0n) - (account(row.debit) ? row.amountMinor : 0n),
        0n,
      )
  const of = (name: string) => (account: string) => account === name
  const transfers = [...world.contracts.values()].flatMap(({ contract }) =>
    contract.kind === 'transfer' ? [contract] : [],
  )
  for (const { currency, suspenseMinor, pendingMinor, heldMinor, inTransitMinor } of world.wallets.values()) {
    const held = transfers
      .filter((each) => each.terms.currency === currency)
      .reduce((total, each: Transfer) => total + each.heldMinor, 0n)
    const waiting = [...world.receipts.values()].filter((each) => each.currency === currency)
    same(
      `suspense ${currency}`,
      waiting.reduce((total, each) => total + each.suspenseMinor, 0n),
      sum(currency, of('suspense')),
    )
    same(
      `held ${currency}`,
      held,
      sum(currency, (name) => name === 'held' || name === 'in_transit'),
    )
    same(`wallet's suspense ${currency}`, suspenseMinor, sum(currency, of('suspense')))
    same(`wallet's pending ${currency}`, pendingMinor, sum(currency, of('pending')))
    same(`wallet's held ${currency}`, heldMinor + inTransitMinor, held)
  }
  same('pending PHP', payment.pendingMinor, sum('PHP', of('pending')))
  same('fee', payment.paidMinor > 0n ? payment.feeMinor : 0n, sum('PHP', of('fee_revenue')))
  same('suspense of the contract', payment.suspenseMinor, sum('PHP', of('suspense')))
  const arrived = ledger.filter(
    ({ walletId, debit, credit }) => walletId === 'wallet PHP' && debit.startsWith('clearing:') && credit !== 'held',
  )
  same(
    'arrived',
    payment.receivedMinor,
    arrived.reduce((total, each) => total + each.amountMinor, 0n),
  )
  for (const each of transfers) if (each.origin?.refundOf) faults.push(...wrongRail(world, each))
  return faults
}

/** A rail can give back only what it brought itself. */
function wrongRail(world: BatchState, { origin, terms }: Transfer): string[] {
  const receipt = world.receipts.get(rowKey(ACCOUNT, origin?.refundOf ?? ''))
  if (receipt?.channelId === terms.channelId) return []
  return [`money of ${receipt?.channelId} goes back by ${terms.channelId}`]
}
