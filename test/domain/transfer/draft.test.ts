// A contract while it is still words: made, mended, issued; what is frozen when it is, and what says no.
import { describe, expect, test } from 'vitest'
import { type ChannelConfig, channelFacts } from '../../../src/domain/channel/config.ts'
import type { ChannelBook } from '../../../src/domain/channel/channel.ts'
import type { CreateTransfer, PatchedDraft } from '../../../src/domain/transfer/commands.ts'
import { decide } from '../../../src/domain/transfer/decide.ts'
import type { Decision, Facts } from '../../../src/domain/contract/decision.ts'
import { decideCreate, EXPIRES_IN_SECONDS } from '../../../src/domain/transfer/draft.ts'
import { invalid, isRefusal, type Refusal, refuseAll } from '../../../src/domain/contract/refusals.ts'
import { isLookAgain } from '../../../src/domain/transfer/payees.ts'
import type { Recipient, Terms, Transfer } from '../../../src/domain/transfer/transfer.ts'

const ID = '01890000-0000-7000-8000-000000000001'
const NOW_MS = 1_800_000_000_000
const CONFIG: ChannelConfig = {
  id: 'bank',
  service: 'payment',
  name: 'Bank',
  description: 'A bank.',
  covered: true,
  undo_seconds: 5,
  currencies: { PHP: { fees: { pct: 1, add: 5 } } },
  recipient: [{ field: 'name', mend: 'Say who.' }],
}
const OLD = channelFacts(CONFIG, 1, 'test')
const DEARER = channelFacts({ ...CONFIG, currencies: { PHP: { fees: { pct: 2, add: 5 } } } }, 2, 'test')

const bookOf = (current: typeof OLD): ChannelBook => ({
  current: (id) => (id === 'bank' ? current : undefined),
  at: (id, version) => (id === 'bank' ? [OLD, DEARER].find((each) => each.version === version) : undefined),
  all: () => [current],
})
const factsAt = (nowMs: number, current = OLD): Facts => ({
  nowMs,
  channels: bookOf(current),
  wallet: () => undefined,
  attempt: null,
  refundsAtOnce: true,
  onFailure: { retries: 0, fallbackChannels: [] },
  parent: null,
})

const ANA: Recipient = { name: 'Ana', email: null, mobile: null, wallet: null, tag: null, address: null, country: null }
const TERMS: Terms = {
  amountMinor: 100_00n,
  currency: 'PHP',
  issuedTo: null,
  description: null,
  deliverable: null,
  recipient: ANA,
  channelId: 'bank',
}

function created(changes: Partial<CreateTransfer> = {}, facts = factsAt(NOW_MS)): Decision | Refusal {
  const command: CreateTransfer = {
    verb: 'create_transfer',
    id: ID,
    livemode: false,
    terms: TERMS,
    expiresInSeconds: null,
    preview: null,
    warnings: [],
    pays: null,
    ...changes,
  }
  return decideCreate(command, 7, 'account', facts)
}

function made(decision: Decision | Refusal): Transfer {
  if (isRefusal(decision)) throw new Error(decision.message)
  return decision.after
}

function updated(draft: Transfer, changes: Partial<PatchedDraft>, facts = factsAt(NOW_MS + 1000)): Decision | Refusal {
  const patch = (terms: Terms) => ({ terms, expiresInSeconds: null, preview: null, warnings: [], ...changes })
  const decision = decide(draft, { verb: 'update', id: ID, patch }, facts)
  if (isLookAgain(decision)) throw new Error('no wallet of the gateway is paid here')
  return decision
}

const issued = (draft: Transfer, facts = factsAt(NOW_MS + 2000)) =>
  decide(draft, { verb: 'issue', id: ID, preview: null }, facts)

describe('making a draft', () => {
  test('prices it, names the channel’s version, and tells it happened', () => {
    const decision = created()
    expect(decision).toMatchObject({ event: 'contract.created', postings: [], attempt: null, changed: true })
    expect(made(decision)).toMatchObject({
      id: ID,
      lane: 7,
      accountId: 'account',
      status: 'draft',
      version: 1,
      sequence: 1,
      channelVersion: 1,
      feeMinor: 6_00n,
      debitMinor: 106_00n,
      heldMinor: 0n,
      createdAt: NOW_MS,
      updatedAt: NOW_MS,
      activities: [{ type: 'created', at: NOW_MS, actor: 'account' }],
    })
  })

  test('gives it two weeks, or the seconds that were asked for', () => {
    expect(made(created()).expiresAt).toBe(NOW_MS + EXPIRES_IN_SECONDS.transferDefault * 1000)
    expect(made(created({ expiresInSeconds: 90 })).expiresAt).toBe(NOW_MS + 90_000)
  })

  test('without a channel costs nothing yet', () => {
    expect(made(created({ terms: { ...TERMS, channelId: null } }))).toMatchObject({
      channelVersion: null,
      feeMinor: 0n,
      debitMinor: 100_00n,
    })
  })

  test('on a channel that there is none of is refused, with those that there are', () => {
    const refusal = created({ terms: { ...TERMS, channelId: 'pigeon' } })
    expect(refusal).toMatchObject({ kind: 'refusal', code: 'invalid_channel', param: 'channel' })
    expect(refusal).toMatchObject({ message: expect.stringContaining('"pigeon" is not known. Choose one of: bank') })
  })

  test('keeps the warnings, and adds one for a preview that differs', () => {
    const warning = { code: 'unknown_parameter', type: 'warning', message: 'x' } as const
    const preview = { amount: 1, feesTotal: null, covered: null, valid: null }
    expect(made(created({ warnings: [warning] })).warnings).toEqual([warning])
    expect(made(created({ warnings: [warning], preview })).warnings.map(({ code, type }) => [code, type])).toEqual([
      ['unknown_parameter', 'warning'],
      ['preview_mismatch', 'warning'],
    ])
    expect(made(created({ preview: { ...preview, amount: 106 } })).warnings).toEqual([])
  })
})

describe('mending it', () => {
  const draft = made(created({ expiresInSeconds: 3600 }))

  test('prices it anew, at the channel’s newest price', () => {
    const terms = { ...TERMS, amountMinor: 200_00n }
    expect(made(updated(draft, { terms }))).toMatchObject({ feeMinor: 7_00n, debitMinor: 207_00n, channelVersion: 1 })
    expect(made(updated(draft, { terms }, factsAt(NOW_MS, DEARER)))).toMatchObject({
      feeMinor: 9_00n,
      debitMinor: 209_00n,
      channelVersion: 2,
    })
  })

  test('leaves the expiry alone, or counts it from now', () => {
    expect(made(updated(draft, {})).expiresAt).toBe(draft.expiresAt)
    expect(made(updated(draft, { expiresInSeconds: 60 })).expiresAt).toBe(NOW_MS + 1000 + 60_000)
  })

  test('makes the next version, and leaves the old one as it was', () => {
    const before = JSON.stringify(draft, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    const after = made(updated(draft, { terms: { ...TERMS, description: 'new' } }))
    expect(after).toMatchObject({ version: 2, sequence: 2, updatedAt: NOW_MS + 1000, createdAt: NOW_MS })
    expect(JSON.stringify(draft, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).toBe(
      before,
    )
  })

  test('is refused as the patch is, and after its time', () => {
    const no = refuseAll([invalid('amount', 'no')])
    expect(decide(draft, { verb: 'update', id: ID, patch: () => no }, factsAt(NOW_MS))).toBe(no)
    const terms = { ...TERMS, description: 'in time' }
    expect(updated(draft, { terms }, factsAt(draft.expiresAt - 1))).toMatchObject({ changed: true })
    expect(updated(draft, {}, factsAt(draft.expiresAt))).toMatchObject({ code: 'contract_expired' })
  })

  test('with nothing that is new leaves it as it stands, although the channel is dearer by now', () => {
    const same = { ...TERMS, recipient: TERMS.recipient && { ...TERMS.recipient } }
    for (const changes of [{}, { terms: same }])
      expect(updated(draft, changes, factsAt(NOW_MS + 1000, DEARER))).toMatchObject({ changed: false, after: draft })
    expect(made(updated(draft, { namesChannel: true }, factsAt(NOW_MS + 1000, DEARER))).channelVersion).toBe(2)
  })

  test('forgets the warnings of the write before', () => {
    const warned = made(created({ warnings: [{ code: 'unknown_parameter', type: 'warning', message: 'x' }] }))
    expect(made(updated(warned, { terms: { ...TERMS, description: 'new' } })).warnings).toEqual([])
  })
})

describe('issuing it', () => {
  test('freezes the price that the draft showed, although the channel is dearer by now', () => {
    const preview = { amount: 106, feesTotal: 6, covered: true, valid: true }
    const asSeen = decide(made(created()), { verb: 'issue', id: ID, preview }, factsAt(NOW_MS + 2000, DEARER))
    expect(made(asSeen)).toMatchObject({
      status: 'issued',
      channelVersion: 1,
      feeMinor: 6_00n,
      debitMinor: 106_00n,
      issuedAt: NOW_MS + 2000,
    })
  })

  test.each<[string, Partial<Terms>, string | null]>([
    ['what was said', { issuedTo: 'The boss' }, 'The boss'],
    ['the e-mail', { recipient: { ...ANA, email: 'ana@example.com', mobile: '+639171234567' } }, 'ana@example.com'],
    ['the mobile', { recipient: { ...ANA, mobile: '+639171234567' } }, '+639171234567'],
    ['the name', {}, 'Ana'],
  ])('to: %s', (_what, changes, issuedTo) => {
    expect(made(issued(made(created({ terms: { ...TERMS, ...changes } })))).terms.issuedTo).toBe(issuedTo)
  })

  test.each<[string, Partial<Terms>, string[], string]>([
    ['a channel', { channelId: null }, ['missing_channel'], 'channel'],
    ['a recipient', { recipient: null }, ['missing_recipient_name'], 'recipient.name'],
    [
      'a price and a recipient',
      { currency: 'USD', recipient: null },
      ['invalid_currency', 'missing_recipient_name'],
      'currency',
    ],
  ])('is refused without %s, with every problem and the parameter of the first', (_what, changes, codes, param) => {
    const refusal = issued(made(created({ terms: { ...TERMS, ...changes } })))
    expect(refusal).toMatchObject({ code: 'requirements_not_met', param })
    expect(isRefusal(refusal) && refusal.problems.map(({ code }) => code)).toEqual(codes)
  })

  test('is refused where a preview was sent that differs', () => {
    const preview = { amount: 1, feesTotal: null, covered: null, valid: null }
    expect(decide(made(created()), { verb: 'issue', id: ID, preview }, factsAt(NOW_MS))).toMatchObject({
      code: 'preview_mismatch',
      param: 'preview',
    })
  })

  test('twice is once', () => {
    const once = made(issued(made(created())))
    expect(issued(once)).toMatchObject({ changed: false, after: once })
  })

  test('is refused at the moment of expiry, not before', () => {
    const draft = made(created({ expiresInSeconds: 60 }))
    expect(issued(draft, factsAt(draft.expiresAt - 1))).toMatchObject({ event: 'contract.issued' })
    expect(issued(draft, factsAt(draft.expiresAt))).toMatchObject({ code: 'contract_expired' })
  })
})
