// A draft that pays a wallet of this gateway is decided by what was looked up of that wallet, or not at all: whatever was looked up
// before, and whoever changed the draft since.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { channelFacts, type ChannelConfig } from '../../../src/domain/channel/config.ts'
import type { Facts } from '../../../src/domain/contract/decision.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { invariant } from '../../../src/domain/invariant.ts'
import { decide } from '../../../src/domain/transfer/decide.ts'
import { decideCreate } from '../../../src/domain/transfer/draft.ts'
import { isLookAgain, type Payee } from '../../../src/domain/transfer/payees.ts'
import { NO_RECIPIENT, type Terms, type Transfer } from '../../../src/domain/transfer/transfer.ts'

const ID = '01890000-0000-7000-8000-000000000001'
const BENS = '01890000-0000-7000-9000-000000000001'
const ANAS = '01890000-0000-7000-9000-000000000002'
const ANAS_DOLLARS = '01890000-0000-7000-9000-000000000003'
const NOBODYS = '01890000-0000-7000-9000-000000000004'
const NUMBER = '0012345678'

const owned = (name: string, currency: string): Payee['owner'] => ({
  accountId: name,
  livemode: false,
  currency,
  status: 'open',
  name,
})
const OWNERS: ReadonlyMap<string, Payee['owner']> = new Map([
  [BENS, owned('Ben', 'PHP')],
  [ANAS, owned('Ana', 'PHP')],
  [ANAS_DOLLARS, owned('Ana', 'USD')],
])
const lookUp = (walletId: string): Payee => ({ walletId, owner: OWNERS.get(walletId) ?? null })

const CONFIG: ChannelConfig = {
  id: 'bank',
  service: 'payment',
  name: 'Channel',
  description: 'A channel.',
  covered: true,
  undo_seconds: 0,
  currencies: { PHP: {}, USD: {} },
  recipient: [],
}
const COLLECT = { kind: 'wallet', covered: false, settle_after_seconds: 0, currencies: { PHP: {}, USD: {} } } as const
const CHANNELS = [CONFIG, { ...CONFIG, id: 'wallet', collect: COLLECT }].map((each) => channelFacts(each, 1, 'test'))
const channel = (id: string) => CHANNELS.find((each) => each.id === id)
const FACTS: Facts = {
  nowMs: 1_800_000_000_000,
  channels: { current: channel, at: channel, all: () => CHANNELS },
  wallet: () => undefined,
  attempt: null,
  refundsAtOnce: true,
  onFailure: { retries: 0, fallbackChannels: [] },
  parent: null,
}

/** What of a draft says which wallet is paid, and whether it fits. */
type Said = { readonly by: string; readonly wallet: string; readonly name: string | null; readonly currency: string }

const termsOf = ({ by, wallet, name, currency }: Said): Terms => ({
  amountMinor: 100_00n,
  currency,
  issuedTo: null,
  description: null,
  deliverable: null,
  recipient: { ...NO_RECIPIENT, wallet, name },
  channelId: by,
})
const saidBy = ({ channelId, recipient, currency }: Terms): Said => ({
  by: channelId ?? '',
  wallet: recipient?.wallet ?? '',
  name: recipient?.name ?? null,
  currency,
})

function made(said: Said): Transfer {
  const rest = { livemode: false, expiresInSeconds: null, preview: null, warnings: [], pays: null } as const
  const payee = lookUp(said.wallet)
  const decision = decideCreate(
    { verb: 'create_transfer', id: ID, terms: termsOf(said), payee, ...rest },
    7,
    'a',
    FACTS,
  )
  invariant(!isRefusal(decision), 'a draft is made')
  return decision.after
}

function patched(draft: Transfer, changes: Partial<Said>, payee: Payee | undefined) {
  const patch = (terms: Terms) => ({
    terms: { ...terms, ...termsOf({ ...saidBy(terms), ...changes }) },
    expiresInSeconds: null,
    preview: null,
    warnings: [],
  })
  return decide(draft, { verb: 'update', id: ID, patch, ...(payee && { payee }) }, FACTS)
}

const ON_BANK: Said = { by: 'bank', wallet: NUMBER, name: 'Ana', currency: 'PHP' }
const TO_ANA: Said = { ...ON_BANK, by: 'wallet', wallet: ANAS }

test.each<[string, Said, Partial<Said>, Payee | undefined, string]>([
  ['a channel of wallets, beside the wallet', { ...ON_BANK, wallet: BENS }, { by: 'wallet' }, undefined, BENS],
  ['a wallet, beside its channel', { ...ON_BANK, by: 'wallet' }, { wallet: BENS }, undefined, BENS],
  ['a name, beside the wallet', { ...TO_ANA, wallet: BENS }, { name: 'Bea' }, lookUp(ANAS), BENS],
  ['a currency, and nothing was looked up', TO_ANA, { currency: 'USD' }, undefined, ANAS],
  ['the same name, beside the wallet', { ...TO_ANA, wallet: BENS }, { name: 'Ana' }, lookUp(ANAS), BENS],
])('is not decided: %s', (_, before, changes, payee, walletId) => {
  const draft = made(before)
  expect(patched(draft, changes, payee)).toEqual({ kind: 'look_again', walletId })
  expect(patched(draft, changes, lookUp(walletId))).not.toHaveProperty('kind')
})

test.each<[string, Said, Partial<Said>, Payee | undefined]>([
  ['what was found before holds for the same', { ...TO_ANA, wallet: BENS }, { wallet: BENS }, undefined],
  ['a text that is the id of no wallet', { ...ON_BANK, by: 'wallet' }, { wallet: '0099' }, undefined],
  ['another channel', TO_ANA, { by: 'bank', name: 'Bea' }, undefined],
  ['another channel, although a wallet was looked up', ON_BANK, { wallet: BENS }, lookUp(ANAS)],
])('is decided: %s', (_, before, changes, payee) => {
  expect(patched(made(before), changes, payee)).not.toHaveProperty('kind')
})

/** What a patch may say, and of which wallet its look-up was: any that the draft has named meanwhile, or none. */
const STEP = fc.record({
  changes: fc.record(
    {
      by: fc.constantFrom('bank', 'wallet'),
      wallet: fc.constantFrom(BENS, ANAS, ANAS_DOLLARS, NOBODYS, NUMBER),
      name: fc.constantFrom('Ana', 'Ben', null),
      currency: fc.constantFrom('PHP', 'USD'),
    },
    { requiredKeys: [] },
  ),
  lookedUp: fc.constantFrom(BENS, ANAS, ANAS_DOLLARS, NOBODYS, null),
})

/** Whom a draft that can be issued pays, in words to compare; null where it pays no wallet. */
function mismatchOf(draft: Transfer): string | null {
  const { by, wallet, name, currency } = saidBy(draft.terms)
  const issued = decide(draft, { verb: 'issue', id: ID, preview: null }, FACTS)
  if (isRefusal(issued) || by !== 'wallet' || wallet === NUMBER) return null
  const owner = OWNERS.get(wallet)
  const isRight = owner?.currency === currency && (name === null || owner.name === name)
  return isRight ? null : `${name} in ${currency}, and the wallet is ${owner?.name}’s in ${owner?.currency}`
}

test('whatever was looked up before, a draft that can be issued names the payee’s own name', () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 12 }), (steps) => {
      let draft = made(ON_BANK)
      for (const { changes, lookedUp } of steps) {
        const first = patched(draft, changes, lookedUp === null ? undefined : lookUp(lookedUp))
        const decision = isLookAgain(first) ? patched(draft, changes, lookUp(first.walletId)) : first
        invariant(!isRefusal(decision) && !isLookAgain(decision), 'decided once its wallet is known')
        draft = decision.after
        expect(mismatchOf(draft)).toBeNull()
      }
    }),
  )
})
