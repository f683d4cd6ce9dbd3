// Rails that hide or forget what they did, and amounts that must arrive to the last digit.
import type pg from 'pg'
import { expect, inject, test } from 'vitest'
import { runAmounts } from '../rig/rails/rails-amounts.ts'
import { runForgotten, runHidden } from '../rig/rails/rails-lies.ts'

const newOwner = async () => (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
const COUNT = 40

test('inquiries that find nothing for a while lead to no second payment and no refund', {
  timeout: 180_000,
}, async () => {
  const figures = await runHidden({ owner: await newOwner(), count: COUNT, seconds: 5 })
  expect(figures.findings).toEqual([])
  expect(figures.executions).toBe(COUNT)
})

test('what a rail has forgotten is never sent again by itself', { timeout: 180_000 }, async () => {
  const figures = await runForgotten({ owner: await newOwner(), count: COUNT, seconds: 3 })
  expect(figures.findings).toEqual([])
  expect(figures.executions).toBe(COUNT)
})

test('every channel moves exactly what its preview said, in every currency', { timeout: 180_000 }, async () => {
  const { findings, payouts } = await runAmounts({ owner: await newOwner() })
  expect(findings).toEqual([])
  expect(payouts).toBeGreaterThan(100)
})
