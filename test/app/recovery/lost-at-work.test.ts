// A database becomes another one under a gateway at work, which serves on for a minute where it stops: from the moment in which it is
// noticed nothing is paid any more, nothing is waited for, and the proof that commits were lost stays whatever is written meanwhile.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/main/config/config.ts'
import { MustStartAgain } from '../../../src/app/recoveries/recovery.ts'
import { countMark } from '../../../src/store/operator/epochs.ts'
import { openMarkedWorld } from '../../rig/restored/marked-world.ts'
import { openWorld, type World } from '../../world.ts'

const DRAIN_SECONDS = 60
const EPOCHS = 'select number, reason from epochs order by number'
const RECOVERED = [
  { number: 1, reason: 'created' },
  { number: 2, reason: 'older' },
]

async function openDraining(): Promise<World> {
  const doors = { ...readConfig({}).doors, authFailuresPerMinute: 0, drainSeconds: DRAIN_SECONDS }
  return openWorld({ workers: 'resting', config: { doors } })
}

async function markOf({ sql, config }: World): Promise<{ marks: string; isStopped: boolean }> {
  const [row] = await sql<{ id: string }>('select id from installation')
  return JSON.parse(readFileSync(join(config.dataDir, `mark-${row?.id}.json`), 'utf8'))
}

const looksOf = async ({ gateway }: World) => /^gateway_looks_total (\d+)/m.exec(await gateway.figures())?.[1]

test('a gateway at work moves no money from then on, ends its work at once, and stops without serving on', async () => {
  const world = await openDraining()
  const { gateway, caller, sql } = world
  onTestFinished(world.stop)
  const draft = await caller.draft()
  const url = await world.listen()
  gateway.startWorkers()
  await sql('update installation set marks = 5')
  await expect.poll(async () => (await markOf(world)).marks).toBe('5')
  await sql('update installation set marks = 4')
  expect(await gateway.mustStartAgain).toContain('(older)')
  expect(gateway.inRecovery()).toBe(true)
  expect(await sql(EPOCHS)).toEqual(RECOVERED)
  const headers = { 'x-api-key': caller.apiKey }
  const refused = await fetch(`${url}/contracts/transfer/${draft.id}/issue`, { method: 'PUT', headers })
  expect(await refused.json()).toMatchObject({ error: { code: 'in_recovery' } })
  const looks = await looksOf(world)
  // Its looks for work come at least every second.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  expect(await looksOf(world)).toBe(looks)
  // What it writes may bring the other database to what was noted.
  await sql('update installation set marks = 5')
  const from = performance.now()
  await gateway.stop()
  expect(performance.now() - from).toBeLessThan((DRAIN_SECONDS * 1000) / 2)
  expect((await markOf(world)).isStopped).toBe(false)
})

test('also where it serves on already, because it is to stop', async () => {
  const world = await openDraining()
  onTestFinished(world.stop)
  const { gateway, sql } = world
  await world.listen()
  gateway.startWorkers()
  await sql('update installation set marks = 5')
  await expect.poll(async () => (await markOf(world)).marks).toBe('5')
  const from = performance.now()
  const stopping = gateway.stop()
  await sql('update installation set marks = 4')
  await stopping
  expect(performance.now() - from).toBeLessThan((DRAIN_SECONDS * 1000) / 2)
  expect(await sql(EPOCHS)).toEqual(RECOVERED)
})

test('what comes up to the mark afterwards is another database all the same, now and for the next start', async () => {
  const { world, session, marks, placeNow, open } = await openMarkedWorld()
  await world.caller.draft()
  await session.send([countMark(), countMark()])
  const recovery = await open()
  const { installationId } = await placeNow()
  const [noted] = marks.read(installationId)
  await world.sql('update installation set marks = marks - 1')
  await expect(recovery.look()).rejects.toThrow(MustStartAgain)
  expect([recovery.isOn(), recovery.resumed()]).toEqual([true, null])
  await world.sql('update installation set marks = marks + 1')
  await expect(recovery.look()).rejects.toThrow(/another one than before \(older\)/)
  await expect(recovery.stop()).rejects.toThrow(MustStartAgain)
  expect(marks.read(installationId)).toEqual([noted])
  const next = await open()
  expect([next.isOn(), next.epoch()]).toEqual([true, 2])
})

test('that it must begin anew is told before the recovery is begun, for that may take long', async () => {
  const { world, session, epochs, open } = await openMarkedWorld()
  await world.caller.draft()
  await session.send([countMark(), countMark()])
  const order: string[] = []
  const noting: typeof epochs = {
    ...epochs,
    begin: async (...epoch) => {
      order.push('begun')
      await epochs.begin(...epoch)
    },
  }
  const recovery = await open({ epochs: noting, onEnded: () => order.push('told') })
  await world.sql('update installation set marks = marks - 1')
  await expect(recovery.look()).rejects.toThrow(MustStartAgain)
  expect(order).toEqual(['told', 'begun'])
})

test('no recovery is begun in the books of another installation', async () => {
  const { world, session, open } = await openMarkedWorld()
  await world.caller.draft()
  await session.send([countMark(), countMark()])
  const recovery = await open()
  await world.sql('update installation set id = gen_random_uuid(), marks = marks - 1')
  await expect(recovery.look()).rejects.toThrow(MustStartAgain)
  expect(await world.sql(EPOCHS)).toEqual(RECOVERED.slice(0, 1))
  expect(recovery.isOn()).toBe(true)
})
