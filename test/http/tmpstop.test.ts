// x
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openWorld, READY } from '../world.ts'
test('stop', { timeout: 120000 }, async () => {
  const own = await openWorld({ undoSeconds: 3600, workers: 'resting' })
  const address = await own.listen()
  const headers = { 'x-api-key': own.caller.apiKey, 'content-type': 'application/json' }
  const asked = Array.from({ length: 40 }, () =>
    fetch(`${address}/contracts/transfer`, { method: 'POST', headers, body: JSON.stringify(READY) }).then(async (a) => { await a.text(); return a.status }, (e) => String(e.cause)))
  await sleep(15)
  const t = performance.now()
  const c = own.gateway.app.close()
  const statuses = await Promise.all(asked)
  console.log('statuses', performance.now() - t, statuses.join(' '))
  await c
  console.log('closed', performance.now() - t)
  await own.stop()
  console.log('stopped', performance.now() - t)
  expect(1).toBe(1)
})
