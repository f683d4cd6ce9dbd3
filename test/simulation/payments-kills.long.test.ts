// What a provider was answered for is in the books, though the gateway dies at the first byte of its answer.
// The long form: npm run torture -- --event-kills 500
import type pg from 'pg'
import { expect, inject, test } from 'vitest'
import { eventKillReport, runEventKills } from '../rig/payments/payments-kills.ts'

test('events that were answered survive a kill -9 in that instant, once each', { timeout: 120_000 }, async () => {
  const owner = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  const figures = await runEventKills({ owner, kills: 2, answered: 10, atOnce: 12 })
  console.log(eventKillReport(figures))
  expect(figures.findings).toEqual([])
  expect(figures.answered).toBeGreaterThanOrEqual(10)
})
