// The SDK while a gateway dies and comes back: who follows its events misses none and gets none twice, whatever is killed.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createGateway, type GatewayEvent } from '../../sdk/src/index.ts'
import { openGatewayProcess } from '../rig/gateway-process.ts'

const KILLS = ['gateway', 'postgres', 'gateway', 'gateway'] as const
const WITHIN_MS = 120_000

const rig = await openGatewayProcess({}, {})
afterAll(() => rig.remove())

test('killed and started again under events.follow(): nothing missed, nothing twice', async () => {
  rig.launch()
  await rig.ready()
  const { api_key: apiKey } = rig.dev()
  if (!apiKey) throw new Error('the development account has no key')
  const gateway = createGateway({ url: rig.url, apiKey, retriesMax: 12 })
  const stop = new AbortController()
  const heard: GatewayEvent[] = []
  let openings = 0
  const following = (async () => {
    for await (const event of gateway.events.follow({ signal: stop.signal, onOpen: () => (openings += 1) }))
      heard.push(event)
  })()
  await until(() => openings === 1, 'the stream is open')
  let isOver = false
  const made: string[] = []
  const making = (async () => {
    for (let count = 1; !isOver; count += 1) {
      const draft = await gateway.transfers.create({ amount: count, currency: 'PHP' })
      made.push(draft.id)
    }
  })()
  for (const [count, victim] of KILLS.entries()) {
    const enough = made.length + 20
    await until(() => made.length >= enough, `${enough} contracts`)
    expect(await rig.kill(victim)).toBe(true)
    if (victim === 'gateway') {
      rig.launch()
      await rig.ready()
      await until(() => openings >= 2, `the stream is open again after kill ${count + 1}`)
    }
  }
  const enough = made.length + 20
  await until(() => made.length >= enough, 'contracts after the last kill')
  isOver = true
  await making
  const all = await gateway.events.list({ limit: 100 }).all()
  const created = (events: readonly GatewayEvent[]) => events.filter(({ type }) => type === 'contract.created')
  await until(() => heard.at(-1)?.id === all.at(-1)?.id, 'the last event is heard')
  stop.abort()
  await following
  const from = all.findIndex(({ id }) => id === heard[0]?.id)
  expect(heard.map(({ id }) => id)).toEqual(all.slice(from).map(({ id }) => id))
  expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length)
  // Creates whose answers died with the gateway were sent again under their keys: one contract for each.
  expect(created(heard).map((event) => (event.data.object as { id: string }).id)).toEqual(made)
})

async function until(holds: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + WITHIN_MS; !holds(); await sleep(25))
    if (Date.now() > deadline) throw new Error(`not so within ${WITHIN_MS} ms: ${what}`)
}
