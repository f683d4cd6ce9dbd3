// Wallets and their entries.
import { afterAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../../src/app/accounts/accounts.ts'
import { creditFromChannel } from '../../../src/app/accounts/credits.ts'
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import { openWorld, type WalletBody } from '../../world.ts'

const world = await openWorld({ undoSeconds: 3600 })
const { caller, other } = world
afterAll(() => world.stop())

type Entry = {
  sequence: number
  debit: string
  credit: string
  amount: number
  available_after: number
  contract_id: string | null
  transaction_id: string | null
  reference: string | null
}

const entriesOf = (wallet: WalletBody, limit = 100) =>
  caller.all<Entry>(`/wallets/${wallet.id}/entries`, 'entries', limit)

describe('wallets', () => {
  test('are listed by currency, and each is found by its id', async () => {
    const { data } = await other.ask('GET', '/wallets')
    const wallets = data['wallets'] as WalletBody[]
    expect(wallets.map(({ currency, available, held, in_transit }) => [currency, available, held, in_transit])).toEqual(
      [
        ['JPY', 0, 0, 0],
        ['KWD', 0, 0, 0],
        ['PHP', 1_000_000, 0, 0],
        ['USD', 100_000, 0, 0],
      ],
    )
    for (const wallet of wallets)
      expect((await other.ask('GET', `/wallets/${wallet.id}`)).data['wallet']).toEqual(wallet)
  })

  test('their entries tell each movement, newest first, and add up to the balance', async () => {
    const wallet = await caller.wallet('PHP')
    const contract = await caller.paid({ amount: 1000 })
    await caller.cancel(contract.id)
    const entries = await entriesOf(wallet)
    expect(entries).toMatchObject([
      {
        sequence: 3,
        debit: 'held',
        credit: 'available',
        amount: 1015,
        available_after: 1_000_000,
        contract_id: contract.id,
      },
      {
        sequence: 2,
        debit: 'available',
        credit: 'held',
        amount: 1015,
        available_after: 998_985,
        contract_id: contract.id,
      },
      {
        sequence: 1,
        debit: 'external',
        credit: 'available',
        amount: 1_000_000,
        contract_id: null,
        transaction_id: null,
      },
    ])
    expect(entries[0]?.transaction_id).not.toBe(entries[1]?.transaction_id)
  })

  test('fee and amount leave in rows of one transaction', async () => {
    const quick = await world.newCaller()
    const receiver = await other.wallet('PHP')
    const contract = await quick.paid({ channel: 'wallet', recipient: { wallet: receiver.id }, amount: 5 })
    expect(await world.settle(contract.id)).toBe('completed')
    expect((await other.wallet('PHP')).available).toBe(receiver.available + 5)
    const wallet = await quick.wallet('PHP')
    const entries = await quick.all<Entry>(`/wallets/${wallet.id}/entries`, 'entries')
    expect(entries.map(({ debit, credit, amount }) => [debit, credit, amount])).toEqual([
      ['held', 'clearing:wallet', 5],
      ['available', 'held', 5],
      ['external', 'available', 1_000_000],
    ])
    await world.ledgerHolds()
  })

  test('money of a test never reaches a live wallet: it is said not to be there, in the preview and by the channel', async () => {
    const { deps } = world.gateway
    const live = await createAccount(deps.reader, deps, { name: 'Live', livemode: true, currencies: ['PHP'] })
    const payer = await world.newCaller()
    const before = await payer.wallet('PHP')
    const wallet = live.wallets[0]?.id ?? ''
    const draft = await payer.draft({ channel: 'wallet', recipient: { wallet }, amount: 5 })
    expect(draft.preview.messages).toMatchObject([{ code: 'invalid_recipient_wallet', type: 'error' }])
    const order = { amountMinor: 500n, currency: 'PHP', reference: attemptReference(draft.id, 1), notAfter: null }
    expect(await creditFromChannel(deps, wallet, order)).toBe('no such wallet')
    expect(await payer.wallet('PHP')).toEqual(before)
    expect(await world.sql('select 1 from ledger where account_id = $1', [live.accountId])).toEqual([])
  })

  test.each([1, 2, 3, 100])('pages of %d entries hold everything once', async (limit) => {
    const wallet = await caller.wallet('PHP')
    const entries = await entriesOf(wallet, limit)
    expect(entries.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: entries.length }, (_, i) => entries.length - i),
    )
    expect(entries.length).toBeGreaterThanOrEqual(3)
  })

  test.each(['after=0', 'after=x', 'after=1.5', 'after=-1', 'limit=0', 'limit=1000', `after=${'9'.repeat(30)}`])(
    '?%s is refused',
    async (query) => {
      const { id } = await caller.wallet('PHP')
      const { status, error } = await caller.ask('GET', `/wallets/${id}/entries?${query}`)
      expect({ status, code: error.code }).toEqual({ status: 400, code: `invalid_${query.split('=')[0]}` })
    },
  )
})
