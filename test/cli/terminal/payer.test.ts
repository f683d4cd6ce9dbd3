// The payer at the command line, who has the payee's word for where a contract is paid: a key goes to the gateway that it is for, and
// what is asked before a wallet pays says how much, to whom and where.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { payments } from '../../../src/cli/contracts/payments.ts'
import { walletQuestion } from '../../../src/cli/contracts/payer.ts'
import { checkoutUrl } from '../../../src/cli/contracts/payment-method.ts'
import { openWorld, type World } from '../../world.ts'

/** A server of the payee's, which keeps what it is sent and answers nothing that a gateway would. */
const told: IncomingHttpHeaders[] = []
const payee = createServer(({ headers }, reply) => {
  told.push(headers)
  reply.writeHead(404, { 'content-type': 'text/html' }).end('<html>no</html>')
})
let payeeUrl: string
let world: World
let url: string
let contract: Contract

type Contract = { readonly id: string; readonly checkout_url: string; readonly issued_by: string }

beforeAll(async () => {
  payee.listen(0, '127.0.0.1')
  await once(payee, 'listening')
  const address = payee.address()
  payeeUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  world = await openWorld({ workers: 'resting' })
  url = await world.listen()
})
afterAll(async () => {
  payee.close()
  await world.stop()
})
beforeEach(async () => {
  told.length = 0
  const body = { amount: 20, currency: 'PHP', description: 'Coffee', recipient: { name: 'Kape Shop' } }
  contract = (await world.caller.ask('POST', '/contracts/payment', { body })).data['contract'] as Contract
})

const checkoutAt = (base: string) => base + new URL(contract.checkout_url).pathname
const apiKey = () => world.other.apiKey

/** As the payer types it. */
const pay = (...words: readonly string[]) =>
  payments.parseAsync(['pay', '--yes', '--json', '--method', 'wallet', ...words], { from: 'user' })

test('no key goes to a checkout_url of another gateway than its own; the refusal says which, and what to do', async () => {
  const words = `No key is sent to ${payeeUrl}: the gateway that it is for is ${url} (--url). If ${payeeUrl} is the gateway of your own account, say so: --url ${payeeUrl}`
  const paying = pay('--checkout-url', checkoutAt(payeeUrl), '--url', url, '--api-key', apiKey())
  await expect(paying).rejects.toThrow(words)
  const asked = { url, apiKey: apiKey(), method: 'wallet', checkoutUrl: checkoutUrl(checkoutAt(payeeUrl)) }
  await expect(walletQuestion(asked)).rejects.toThrow(words)
  expect(told).toEqual([])
})

test('it goes where the payer says that it is for', async () => {
  const paying = pay('--checkout-url', checkoutAt(payeeUrl), '--url', `${payeeUrl}/`, '--api-key', apiKey())
  await expect(paying).rejects.toThrow('not a gateway')
  expect(told).toMatchObject([{ 'x-api-key': apiKey() }])
})

test('the question says how much, to whom and where, and is made without a key', async () => {
  // A key that is wrong would be refused where it is sent.
  const asked = { url, apiKey: 'gck_test_none', method: 'wallet', checkoutUrl: checkoutUrl(checkoutAt(url)) }
  const whom = `"Kape Shop", the profile ${contract.issued_by}`
  const where = new URL(url).host
  expect(await walletQuestion(asked)).toBe(
    `Pay PHP 20.00 to ${whom} for "Coffee" at ${where}, out of a wallet of yours?`,
  )
  expect(await walletQuestion({ ...asked, wallet: '0198' })).toMatch(/ out of 0198\?$/)
})

test('the wallet of another account pays at its own gateway', async () => {
  const { id: wallet } = await world.other.wallet('PHP')
  await pay('--checkout-url', checkoutAt(url), '--url', url, '--api-key', apiKey(), '--wallet', wallet)
  const { data } = await world.caller.ask('GET', `/contracts/payment/${contract.id}`)
  expect(data['contract']).toMatchObject({ status: 'completed', paid_by: expect.any(String) })
  expect(told).toEqual([])
})
