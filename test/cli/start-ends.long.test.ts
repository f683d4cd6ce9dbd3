// How a start ends that cannot go on: with its reason and its exit code, at once, whatever it has opened by then.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkshop, type Workshop } from '../rig/starts.ts'
import { openWorld, type World, urlOf } from '../world.ts'

let workshop: Workshop
let world: World
let databaseUrl: string
beforeAll(async () => {
  workshop = openWorkshop()
  world = await openWorld({ workers: 'resting' })
  databaseUrl = urlOf(world.database.owner)
})
afterAll(async () => {
  await workshop.close()
  await world.stop()
})

test('a sealing key that is not here: it says so and is gone', async () => {
  const sealed = await world.caller.ask('POST', '/webhook-endpoints', {
    body: { url: 'https://receiver.example/hooks', events: ['contract.issued'] },
  })
  expect(sealed.status).toBe(200)
  const settings = {
    DATABASE_URL: databaseUrl,
    GATEWAY_DURABILITY: 'allow',
    GATEWAY_DATA_DIR: join(workshop.folder, 'keyless'),
  }
  const { said, ended } = workshop.run(settings, ['start'])
  expect(await ended).toBe(2)
  expect(said.err).toMatch(/sealed by a key that is not here[\s\S]*GATEWAY_SEALING_KEYS/)
  expect(said.out).toBe('')
  // Nothing of it is left either: the provider that had been started has ended with it.
  await expect.poll(() => workshop.processesOf(join(workshop.folder, 'keyless')), { timeout: 30_000 }).toEqual([])
})

test('a database that takes the connection and never answers: a signal ends the start at once', async () => {
  const held: Socket[] = []
  const silent = createServer((socket) => held.push(socket.on('error', () => undefined)))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const settings = {
    DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/x`,
    GATEWAY_DATA_DIR: join(workshop.folder, 'deaf'),
  }
  const { child, ended } = workshop.run(settings, ['start'])
  await expect.poll(() => held.length, { timeout: 30_000 }).toBeGreaterThan(0)
  child.kill('SIGTERM')
  expect(await ended).toBe(143)
  for (const socket of held) socket.destroy()
  silent.close()
})
