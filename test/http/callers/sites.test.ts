// Where payers may be sent to: over https, within the sites that an account lists; and a payer's token sends nobody anywhere
// else than to those, or to where the contract itself leads.
import { afterAll, describe, expect, test } from 'vitest'
import { settleAccount } from '../../../src/app/operator/operator-actions.ts'
import { openKeyedSession } from '../../../src/main/database/database.ts'
import { type Caller, openWorld, type Reply } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const operator = openKeyedSession(world.operators)
afterAll(async () => {
  await operator.close()
  await world.stop()
})

const SHOP = 'https://shop.example'
const { deps } = world.gateway
const list = ({ account }: Caller, sites: readonly string[]) =>
  settleAccount(
    { reader: operator, writer: operator, channels: deps.channels, ids: deps },
    account,
    { sites },
    'tester',
  )

const open = (by: Caller, fields: Record<string, unknown>) =>
  by.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP', ...fields } })
const gcash = (urls: Record<string, string>) => ({ type: 'gcash', gcash: urls })
const coded = ({ status, body }: Reply) => {
  const error = body['error'] as { code: string; param: string | null } | undefined
  return [status, error?.code, error?.param]
}

/** The payer's choice, with the token of the contract. */
async function payerOf(made: Reply): Promise<(urls: Record<string, string>) => Promise<Reply>> {
  const { id, checkout_url: url } = made.data['contract'] as { id: string; checkout_url: string }
  const headers = { authorization: `Bearer ${url.split('/').at(-1)}` }
  return (urls) => world.ask('PUT', `/contracts/payment/${id}/pay`, { headers, body: gcash(urls) })
}

const NO_SITES: [string, number][] = [
  ['https://anywhere.example/back', 200],
  ['http://127.0.0.1:8080/back', 200],
  ['http://localhost/back', 200],
  ['http://anywhere.example/back', 400],
  ['http://127.0.0.1.anywhere.example/back', 400],
  ['javascript:alert(1)', 400],
  ['data:text/html,x', 400],
  ['https://user:pass@anywhere.example/', 400],
  ['//anywhere.example', 400],
]

describe('without listed sites', () => {
  test.each(NO_SITES)('a key may send payers to %s: %i', async (url, status) => {
    const made = await open(world.caller, { return_url: url })
    expect(coded(made)).toEqual(
      status === 200 ? [200, undefined, undefined] : [400, 'invalid_return_url', 'return_url'],
    )
    for (const name of ['success_url', 'failure_url', 'cancel_url']) {
      const reply = await open(world.caller, { payment: gcash({ [name]: url }) })
      const param = `payment.gcash.${name}`
      expect(coded(reply)).toEqual(
        status === 200 ? [200, undefined, undefined] : [400, `invalid_payment_gcash_${name}`, param],
      )
    }
  })

  test('a payer sends nobody but to where the contract leads', async () => {
    const pay = await payerOf(await open(world.caller, { return_url: `${SHOP}/thanks` }))
    expect(coded(await pay({ success_url: 'https://evil.example/' }))).toEqual([
      400,
      'invalid_gcash_success_url',
      'gcash.success_url',
    ])
    expect(coded(await pay({ cancel_url: 'https://shop.example.evil.example/' }))[0]).toBe(400)
    expect((await pay({ success_url: `${SHOP}/paid`, cancel_url: `${SHOP}/cancelled` })).status).toBe(200)
    const closed = await payerOf(await open(world.caller, {}))
    expect((await closed({ success_url: `${SHOP}/paid` })).status).toBe(400)
    expect((await closed({})).status).toBe(200)
  })
})

describe('with listed sites', () => {
  test('key and payer stay within them, by their whole origin', async () => {
    const caller = await world.newCaller()
    expect(await list(caller, [SHOP])).toMatchObject({ sites: [SHOP] })
    expect((await open(caller, { return_url: `${SHOP}/thanks?order=1` })).status).toBe(200)
    for (const url of ['https://other.example/', `${SHOP}:8443/`, 'https://www.shop.example/', 'http://localhost/'])
      expect(coded(await open(caller, { return_url: url }))).toEqual([400, 'invalid_return_url', 'return_url'])
    const refused = await open(caller, { payment: gcash({ success_url: 'https://other.example/' }) })
    expect(coded(refused)).toEqual([400, 'invalid_payment_gcash_success_url', 'payment.gcash.success_url'])
    expect(refused.error.message).toContain(`${SHOP}. Its operator lists one more`)
    const pay = await payerOf(await open(caller, {}))
    const elsewhere = await pay({ failure_url: 'https://other.example/' })
    expect(coded(elsewhere)).toEqual([400, 'invalid_gcash_failure_url', 'gcash.failure_url'])
    // A payer is not told which they are.
    expect(elsewhere.error.message).not.toContain('shop.example')
    expect((await pay({ success_url: `${SHOP}/paid` })).status).toBe(200)
  })

  test.each(['shop.example', 'http://shop.example', 'https://shop.example/path', 'javascript:alert(1)'])(
    '%s is no site',
    async (site) => {
      const caller = await world.newCaller()
      expect(await list(caller, [site])).toMatchObject({ code: 'invalid_sites' })
    },
  )
})

test('a live account sends its payers over https alone', async () => {
  const { account } = world.caller
  const fault = await import('../../../src/domain/account/sites.ts').then(({ faultOfSite }) =>
    faultOfSite('return_url', 'http://127.0.0.1/', { sites: [], livemode: true, by: 'account', returnUrl: null }),
  )
  expect([account.livemode, fault?.code]).toEqual([false, 'invalid_return_url'])
})
