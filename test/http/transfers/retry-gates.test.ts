// A transfer that failed for good and goes again through another channel: what policies and the key's mandate say of that channel
// holds for it, as if it were paid through it.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { HOLDERS } from '../../../sandbox/rails/accounts.ts'
import { type Caller, type ContractBody, openWorld, type World } from '../../world.ts'
import { holderIn, make } from '../accounts/key-stage.ts'
import { joined } from '../members/people.ts'
import { policiesOf, told } from '../policies/policy-stage.ts'

const SANDBOX = { ...SHIPPED_CHANNELS.find((channel) => channel.id === 'sandbox')!, undo_seconds: 0 }
const SECOND = { ...SANDBOX, id: 'second', name: 'Second', connector: 'sandbox' }

let world: World
beforeAll(async () => {
  world = await openWorld({ config: { channels: [SANDBOX, SECOND] } })
})
afterEach(() => world.ledgerHolds())
afterAll(() => world.stop())

const ON_SECOND = [{ field: 'channel', op: 'in', values: ['second'] }]
const DENIED = { name: 'Not by the second', when: ON_SECOND, then: { kind: 'deny', words: 'Not through it.' } }
const APPROVED = { name: 'Two eyes', when: ON_SECOND, then: { kind: 'approvals', count: 1 } }
const VERIFIED = { name: 'Known', when: ON_SECOND, then: { kind: 'verification', verification: 'list' } }

async function callerWith(fallback: string, refundsAtOnce: boolean): Promise<Caller> {
  const caller = await world.newCaller({ funds: { PHP: 1_000_000_00n } })
  const change = 'update accounts set refunds_at_once = $2, retries = 0, fallback_channels = $3 where account_id = $1'
  await world.sql(change, [caller.account.accountId, String(refundsAtOnce), fallback])
  return caller
}

let accounts = 0
/** An account at the provider that refuses one order for good, and then takes them. */
async function refusing(): Promise<string> {
  accounts += 1
  const account = `gated-${accounts}`
  const body = JSON.stringify({ rail: 'sandbox', match: { account }, times: 1, verdict: 'refused' })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${world.sandboxUrl}/scenarios`, { method: 'POST', headers, body })
  expect(reply.status).toBe(200)
  return account
}

async function failedOf(caller: Caller): Promise<ContractBody> {
  const { id } = await caller.paid({ recipient: { name: 'Ana', wallet: await refusing() } })
  return vi.waitFor(
    async () => {
      const contract = await caller.get(id)
      expect(contract.transfer.status).toBe('failed')
      return contract
    },
    { timeout: 30_000, interval: 20 },
  )
}

const retry = (caller: Pick<Caller, 'ask'>, id: string, channel?: string) =>
  caller.ask('PUT', `/contracts/transfer/${id}/retry`, { body: channel === undefined ? {} : { channel } })

describe('by command', () => {
  test.each([
    ['denies', DENIED, 'policy_denied'],
    ['wants an approval', APPROVED, 'approval_required'],
    ['wants a verification', VERIFIED, 'verification_required'],
  ])('a policy %s on the other channel, and it does not go by it', async (_, policy, code) => {
    const caller = await callerWith('{}', false)
    await policiesOf(caller).make(policy)
    const { id } = await failedOf(caller)
    const refused = await retry(caller, id, 'second')
    expect(told(refused)[1]).toBe(code)
    expect((await caller.get(id)).transfer).toMatchObject({ status: 'failed', attempts: 1 })
    expect((await retry(caller, id)).status).toBe(200)
    expect(await world.settle(id)).toBe('completed')
  })

  test('a limit that the contract itself has filled does not keep it from going again', async () => {
    const caller = await callerWith('{}', false)
    const sum = { field: 'sum', by: 'account', window: 'day', op: 'above', value: 150, currency: 'PHP' }
    await policiesOf(caller).make({ name: 'Day', when: [sum], then: { kind: 'deny', words: 'Enough today.' } })
    const { id } = await failedOf(caller)
    expect((await retry(caller, id, 'second')).status).toBe(200)
    expect(await world.settle(id)).toBe('completed')
  })

  test('a key whose mandate names channels sends it through those alone', async () => {
    const caller = await callerWith('{}', false)
    const owner = await joined(world, caller, 'owner')
    const limits = [{ currency: 'PHP', total: 10_000 }]
    const scopes = ['contracts:read', 'contracts:write', 'transfers:issue', 'transfers:pay']
    const made = await make(owner, { name: 'Agent', scopes, mandate: { limits, channels: ['sandbox'] } })
    const { id } = await failedOf(caller)
    const refused = await retry(holderIn(world)(made), id, 'second')
    expect(told(refused).slice(1)).toEqual(['mandate_exceeded', 'channel'])
    expect((await retry(holderIn(world)(made), id)).status).toBe(200)
    expect(await world.settle(id)).toBe('completed')
  })
})

test('by the account’s setting it goes by no channel that a policy keeps from it', async () => {
  const caller = await callerWith('{second}', true)
  await policiesOf(caller).make(DENIED)
  const { id } = await caller.paid({ recipient: { name: 'Ana', wallet: await refusing() } })
  expect(await world.settle(id)).toBe('cancelled')
  expect((await caller.get(id)).transfer.attempts).toBe(1)
})

describe('by the account’s setting it goes by a channel that the recipient is verified for', () => {
  const asks = (verification: string) => ({ name: 'Known', when: [], then: { kind: 'verification', verification } })

  type Asked = { readonly kind: string; readonly channel: string; readonly status: string; readonly contract: string }
  async function askedOf(caller: Caller): Promise<Asked[]> {
    const all = await caller.all<Omit<Asked, 'contract'> & { contract_id: string | null }>(
      '/verifications',
      'verifications',
    )
    return all.map(({ kind, channel, status, contract_id: id }) => ({
      kind,
      channel,
      status,
      contract: id === null ? 'none' : 'its own',
    }))
  }

  /** What was asked when it was issued, once all of it has ended. */
  const answered = (caller: Caller) =>
    vi.waitFor(
      async () => {
        const all = await askedOf(caller)
        expect(all.filter(({ status }) => status === 'pending')).toEqual([])
        expect(all.length).toBeGreaterThan(0)
        return all.toSorted((one, other) => one.channel.localeCompare(other.channel))
      },
      { timeout: 30_000, interval: 20 },
    )

  async function listing(caller: Caller): Promise<void> {
    const made = await caller.ask('POST', '/verifiers', { body: { kind: 'list', name: 'Not to be paid' } })
    const { id } = made.data['verifier'] as { id: string }
    const entries = [{ name: 'Felix Moravec' }]
    expect((await caller.ask('POST', `/verifiers/${id}/entries`, { body: { entries } })).status).toBe(200)
  }

  test.each(['name', 'mobile', 'list'])('%s, which is asked about with its own', async (kind) => {
    const caller = await callerWith('{second}', true)
    await policiesOf(caller).make(asks(kind))
    await listing(caller)
    const wallet = await refusing()
    const recipient = { name: HOLDERS[Number(wallet.at(-1))], wallet, mobile: '+639171234567' }
    const { id } = await caller.issued({ recipient })
    expect(await answered(caller)).toEqual([
      { kind, channel: 'sandbox', status: 'pass', contract: 'its own' },
      // It is nothing that the contract waits for, nor shows.
      { kind, channel: 'second', status: 'pass', contract: 'none' },
    ])
    expect((await caller.ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })).status).toBe(200)
    expect(await world.settle(id)).toBe('completed')
    expect((await caller.get(id)).transfer.attempts).toBe(2)
  })

  test('nobody is asked about a channel that it does not go by, and no code is sent for one that may not be needed', async () => {
    const [denied, approved, coded] = await Promise.all([1, 2, 3].map(() => callerWith('{second}', true)))
    const hook = { kind: 'otp', name: 'Codes', url: 'http://127.0.0.1:9/send' }
    expect((await coded!.ask('POST', '/verifiers', { body: hook })).status).toBe(200)
    await policiesOf(denied!).make(DENIED)
    await policiesOf(approved!).make(APPROVED)
    await policiesOf(denied!).make(asks('mobile'))
    await policiesOf(approved!).make(asks('mobile'))
    await policiesOf(coded!).make(asks('otp'))
    const channels = [denied!, approved!, coded!].map(async (caller) => {
      await caller.issued({ recipient: { name: 'Ana', wallet: 'gated', mobile: '+639171234567' } })
      return (await askedOf(caller)).map(({ channel }) => channel)
    })
    expect(await Promise.all(channels)).toEqual([['sandbox'], ['sandbox'], ['sandbox']])
  })

  test('what counts no longer when it is paid is asked anew for both', async () => {
    const caller = await callerWith('{second}', true)
    await policiesOf(caller).make(asks('mobile'))
    const { id } = await caller.issued({ recipient: { name: 'Ana', wallet: 'gated', mobile: '+639171234567' } })
    await answered(caller)
    await world.sql('update verifications set expires_at = now() where account_id = $1', [caller.account.accountId])
    const pay = await caller.ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })
    expect(pay.error.code).toBe('verification_required')
    expect((await answered(caller)).map(({ channel }) => channel)).toEqual(['sandbox', 'sandbox', 'second', 'second'])
  })

  test('what was asked ahead and left without an answer is asked anew for a contract that goes by that channel', async () => {
    const caller = await callerWith('{second}', true)
    const { accountId } = caller.account
    await policiesOf(caller).make(asks('mobile'))
    const recipient = { name: 'Ana', wallet: 'gated', mobile: '+639171234567' }
    await caller.issued({ recipient })
    await answered(caller)
    const left = `update verifications set status = 'unavailable', expires_at = null where account_id = $1 and document ->> 'channelId' = 'second'`
    await world.sql(left, [accountId])
    const { id } = await caller.issued({ recipient, channel: 'second' })
    expect(await answered(caller)).toEqual([
      { kind: 'mobile', channel: 'sandbox', status: 'pass', contract: 'its own' },
      { kind: 'mobile', channel: 'second', status: 'pass', contract: 'its own' },
      { kind: 'mobile', channel: 'second', status: 'unavailable', contract: 'none' },
    ])
    expect((await caller.ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })).status).toBe(200)
  })

  test('while its own is tried again, what counts no longer of the other is asked anew', async () => {
    const caller = await callerWith('{second}', true)
    const { accountId } = caller.account
    await world.sql('update accounts set retries = 1 where account_id = $1', [accountId])
    await policiesOf(caller).make(asks('mobile'))
    const { id } = await caller.issued({
      recipient: { name: 'Ana', wallet: await refusing(), mobile: '+639171234567' },
    })
    await answered(caller)
    const lapsed = `update verifications set expires_at = now() where account_id = $1 and document ->> 'channelId' = 'second'`
    await world.sql(lapsed, [accountId])
    expect((await caller.ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })).status).toBe(200)
    await expect.poll(async () => (await caller.get(id)).transfer.attempts, { timeout: 30_000 }).toBe(2)
    expect((await answered(caller)).map(({ channel }) => channel)).toEqual(['sandbox', 'second', 'second'])
  })
})
