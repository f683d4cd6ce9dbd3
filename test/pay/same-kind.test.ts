// The payment page where two channels bring money in by one kind, each at its price: the one that was clicked is taken.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import { openWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  const qrph = SHIPPED_CHANNELS.find(({ id }) => id === 'qrph')
  if (!qrph?.collect) throw new Error('qrph is shipped, and brings money in')
  const { collect } = qrph
  const qrOf = (id: string, max: number, add: number) => ({
    ...qrph,
    id,
    name: id,
    connector: 'qrph',
    covered: true,
    collect: { ...collect, covered: true, currencies: { PHP: { min: 1, max, fees: { add } } } },
  })
  const others = SHIPPED_CHANNELS.filter(({ id }) => id !== 'qrph')
  const channels = [...others, qrOf('qr-small', 50_000, 25), qrOf('qr-large', 500_000, 10)]
  world = await openWorld({ config: { channels } })
})
afterAll(() => world.stop())

type Contract = {
  readonly id: string
  readonly checkout_url: string
  readonly channel: { readonly id: string }
  readonly attempts: readonly { readonly channel: string; readonly amount: number }[]
}

async function opened(amount: number): Promise<Contract> {
  const { data } = await world.caller.ask('POST', '/contracts/payment', { body: { amount, currency: 'PHP' } })
  return data['contract'] as Contract
}
async function attemptsOf({ id }: Contract) {
  const { data } = await world.caller.ask('GET', `/contracts/payment/${id}`)
  return (data['contract'] as Contract).attempts.map(({ channel, amount }) => [channel, amount])
}
/** What the row of each channel sends when it is clicked. */
async function rowsOf({ checkout_url }: Contract): Promise<readonly string[]> {
  const url = new URL(checkout_url).pathname
  const { body } = await world.gateway.app.inject({ method: 'GET', url })
  const forms = [...body.matchAll(/<form method="post".*?<\/form>/gs)].map(([form]) =>
    new URLSearchParams(
      [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']): [string, string] => [
        name,
        value,
      ]),
    ).toString(),
  )
  return forms.filter((form) => form.includes('type=qr'))
}
async function clicked({ checkout_url }: Contract, payload: string): Promise<number> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const url = new URL(checkout_url).pathname
  return (await world.gateway.app.inject({ method: 'POST', url, payload, headers })).statusCode
}

test('the channel that was clicked is taken, at its price; another click on the other one takes that', async () => {
  const contract = await opened(1000)
  const [small = '', large = ''] = await rowsOf(contract)
  expect(await clicked(contract, large)).toBe(303)
  expect(await attemptsOf(contract)).toEqual([['qr-large', 1010]])
  expect(await clicked(contract, large)).toBe(303)
  expect(await clicked(contract, small)).toBe(303)
  expect(await attemptsOf(contract)).toEqual([
    ['qr-large', 1010],
    ['qr-small', 1025],
  ])
})

test('an amount above the bounds of the first is paid through the other one, which alone is shown', async () => {
  const contract = await opened(60_000)
  const [only = '', ...others] = await rowsOf(contract)
  expect(others).toEqual([])
  expect(await clicked(contract, only)).toBe(303)
  expect(await attemptsOf(contract)).toEqual([['qr-large', 60_010]])
})

test('whoever names the kind alone gets the first channel that takes the amount', async () => {
  const contract = await opened(60_000)
  expect(await clicked(contract, 'type=qr')).toBe(303)
  expect(await attemptsOf(contract)).toEqual([['qr-large', 60_010]])
  const lesser = await opened(1000)
  expect(await clicked(lesser, 'type=qr')).toBe(303)
  expect(await attemptsOf(lesser)).toEqual([['qr-small', 1025]])
})

test.each(['gcash', 'nowhere'])('the channel %s is none of the kind: nothing is begun', async (channel) => {
  const contract = await opened(1000)
  expect(await clicked(contract, `type=qr&channel=${channel}`)).toBe(400)
  expect(await attemptsOf(contract)).toEqual([])
})
