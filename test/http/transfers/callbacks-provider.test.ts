// The sandbox provider calls back by itself: with copies, in disorder and with forgeries between, beside the list of its
// events and the gateway's own inquiries. Over real sockets; what is told goes through a relay that notes the answers.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type ContractBody, openWorld } from '../../world.ts'

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBwcm92aWRlcg=='
const world = await openWorld({ config: { callbackSecrets: new Map([['sandbox', [SECRET]]]) } })
const { caller } = world
const answers: number[] = []
const relay = relayTo(`${await world.listen()}/channels/sandbox/callbacks`)
afterAll(async () => {
  await new Promise((resolve) => relay.close(resolve))
  await world.stop()
})

/** Passes each call on, byte for byte, and notes what it is answered. */
function relayTo(url: string): Server {
  return createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const headers = { 'service-signature': String(request.headers['service-signature']) }
      void fetch(url, { method: 'POST', headers, body: Buffer.concat(parts) }).then(({ status }) => {
        answers.push(status)
        response.writeHead(status).end()
      })
    })
  })
}

async function provider(path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${world.sandboxUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(reply.ok, await reply.text()).toBe(true)
}

const paid = (count: number, amount: number) =>
  Promise.all(Array.from({ length: count }, () => caller.paid({ amount })))
async function ends(contracts: readonly ContractBody[]): Promise<Set<string>> {
  const seen = new Set<string>()
  for (const { id } of contracts) seen.add(await world.settle(id))
  return seen
}

test('each transfer ends as the provider’s books say, whatever is told how often', async () => {
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}/`
  await provider('/callbacks', { url, secret: SECRET, rails: ['sandbox'] })
  await provider('/scenarios', { rail: 'sandbox', callbacks: { duplicates: 4, forged: 2, shuffle: true } })
  const back = { after_seconds: 3600, status: 'returned' }
  await provider('/scenarios', { rail: 'sandbox', match: { amount: '100.60' }, later: back })
  const [late, refused, bounced] = await Promise.all([paid(4, 100.11), paid(4, 100.53), paid(4, 100.6)])
  expect(await ends(bounced)).toEqual(new Set(['completed']))
  expect(await ends(late)).toEqual(new Set(['completed']))
  expect(await ends(refused)).toEqual(new Set(['cancelled']))
  await provider('/clock', { advance_seconds: 3600 })
  const isBack = async ({ id }: ContractBody) => (await caller.get(id)).status === 'cancelled'
  for (const contract of bounced) {
    for (let tries = 0; tries < 500 && !(await isBack(contract)); tries++) await sleep(20)
    expect((await caller.get(contract.id)).refund?.amount).toBe(100.6)
  }

  // Twelve happenings, each told once and forged twice; whether a copy follows the first that is confirmed is up to it.
  const forged = () => answers.filter((status) => status === 401).length
  for (let tries = 0; tries < 500 && (forged() < 24 || answers.length < 36); tries++) await sleep(20)
  await sleep(300)
  expect(forged()).toBe(24)
  expect(new Set(answers)).toEqual(new Set([200, 401]))
  expect(answers.length).toBeGreaterThanOrEqual(36)
  for (const { id } of [...late, ...refused, ...bounced])
    expect((await caller.get(id)).activities.map(({ type }) => type)).not.toContain('outcome_disputed')
  await world.ledgerHolds()
})

test('whoever has the secret and says of each that it was refused has nothing refunded', async () => {
  await provider('/scenarios', { rail: 'sandbox', callbacks: { lies: 3 } })
  const before = answers.length
  const [late, unsure] = await Promise.all([paid(4, 100.11), paid(4, 100.41)])
  expect(await ends([...late, ...unsure])).toEqual(new Set(['completed']))
  // What happens later is told: each lie is confirmed, and the truth after them.
  for (let tries = 0; tries < 500 && answers.length < before + 16; tries++) await sleep(20)
  expect(answers.length).toBeGreaterThanOrEqual(before + 16)
  for (const { id } of [...late, ...unsure])
    expect(await caller.get(id)).toMatchObject({ status: 'completed', refund: null })
  await world.ledgerHolds()
})
