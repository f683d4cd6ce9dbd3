// One endpoint's life as its receiver sees it, with the workers at work: what arrives while it is paused, rolled, disabled,
// enabled again and asked to hear things once more.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { verifyServiceSignature } from '../../../sdk/src/signature.ts'
import { openWorld } from '../../world.ts'
import { endpointOf, getEndpoint, makeEndpoint, patchEndpoint, putEndpoint } from './webhook-world.ts'

type Received = { readonly id: string; readonly signature: string; readonly token: string; readonly body: string }

const world = await openWorld({ undoSeconds: 3600 })
const { caller } = world
const received: Received[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (bytes: Buffer) => (body += bytes.toString()))
  request.on('end', () => {
    const { 'webhook-id': id, 'service-signature': signature, authorization: token } = request.headers
    received.push({ id: String(id), signature: String(signature), token: String(token), body })
    response.end('{}')
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
afterAll(async () => {
  receiver.close()
  await world.stop()
})

const WITHIN_MS = 10_000
const A_WHILE_MS = 1500

/** Waits until so many have been received, and a moment longer: there are no more. */
async function receives(count: number): Promise<Received[]> {
  for (const until = Date.now() + WITHIN_MS; received.length < count && Date.now() < until; ) await sleep(10)
  await sleep(100)
  expect(received).toHaveLength(count)
  return received.splice(0)
}

const isSigned = ({ body, signature }: Received, secret: string | null) =>
  verifyServiceSignature(Buffer.from(body), signature, [secret!], { nowSeconds: Math.floor(Date.now() / 1000) }).ok

test('an endpoint hears what it wants, when it wants, signed with what it was given', {
  timeout: 180_000,
}, async () => {
  const early = await caller.issued()
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const made = await makeEndpoint(caller, { url, events: ['contract.paid'] })
  const path = `/webhook-endpoints/${made.id}`

  await caller.pay(early.id)
  const [first] = await receives(1)
  expect(first!.token).toBe(`Bearer ${made.bearer_token}`)
  expect(isSigned(first!, made.secret)).toBe(true)

  const rolled = endpointOf(await caller.ask('POST', `${path}/roll-secret`, { body: { overlap_seconds: 60 } }))
  await patchEndpoint(caller, made.id, { bearer_token: 'another-token-of-mine', events: ['contract.issued'] })
  await caller.paid()
  const [second] = await receives(1)
  expect(JSON.parse(second!.body)).toMatchObject({ type: 'contract.issued' })
  expect(second!.token).toBe('Bearer another-token-of-mine')
  expect([made.secret, rolled.secret].map((secret) => isSigned(second!, secret))).toEqual([true, true])
  await caller.ask('POST', `${path}/roll-secret`, { body: { overlap_seconds: 0 } })

  await putEndpoint(caller, made.id, 'pause')
  await caller.issued()
  await caller.issued()
  await sleep(A_WHILE_MS)
  expect(received).toEqual([])
  await putEndpoint(caller, made.id, 'resume')
  const waited = await receives(2)
  expect(waited.map((each) => isSigned(each, rolled.secret))).toEqual([false, false])

  await patchEndpoint(caller, made.id, { status: 'disabled' })
  const { id: missed } = await caller.issued()
  await putEndpoint(caller, made.id, 'resume')
  await sleep(A_WHILE_MS)
  expect(received).toEqual([])
  // Asked for twice, it is heard twice, under the id it always had.
  for (const number of [1, 2]) {
    const events = [`evt_${missed.replaceAll('-', '')}0002`]
    const { data } = await caller.ask('POST', `${path}/replay`, { body: number === 1 ? { missed: true } : { events } })
    expect(data['replay']).toMatchObject({ number, events: 1 })
    expect((await receives(1)).map(({ id }) => id)).toEqual(events)
  }
  const { data } = await caller.ask('POST', `${path}/replay`, { body: { missed: true } })
  expect(data['replay']).toMatchObject({ events: 0 })

  const tries = await caller.ask('GET', `${path}/deliveries/dlv_${await lastHeard()}_2/attempts`)
  expect(tries.data['attempts']).toMatchObject([{ number: 1, outcome: 'delivered', status_code: 200 }])
  const { delivery } = await getEndpoint(caller, made.id)
  expect(delivery).toMatchObject({ behind: 0, waiting: 0, held: 0, dead: 0, breaker: 'closed', failures: 0 })

  await caller.ask('DELETE', path)
  await caller.issued()
  await sleep(A_WHILE_MS)
  expect(received).toEqual([])
})

async function lastHeard(): Promise<number> {
  const [row] = await world.sql<{ position: number }>('select max(position)::int as position from deliveries')
  return row!.position
}
