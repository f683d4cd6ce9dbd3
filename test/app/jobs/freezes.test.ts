// What is frozen and paused is read once a second, and goes on as it was known while the server that keeps it is away.
import { expect, test } from 'vitest'
import { openFreezes } from '../../../src/app/jobs/freezes.ts'
import { DatabaseUnavailable, type Result, type Session } from '../../../src/platform/db.ts'

const rows = (...channels: readonly string[]): Result => ({
  rows: channels.map((id) => ({ channel_id: id })),
  rowCount: channels.length,
  command: 'SELECT',
})

/** A session of which each send is answered as the test says. */
function answering(answer: () => Promise<Result[]>): Session {
  return { send: answer } as unknown as Session
}

test('a pause that was known holds while home is away, and nobody is kept waiting for it', async () => {
  let isAway = false
  let nowMs = 0
  const reader = answering(async () => {
    if (isAway) throw new DatabaseUnavailable('the database does not answer', 'nothing done')
    return [rows('gcash'), rows('maya')]
  })
  const freezes = openFreezes(reader, () => nowMs)
  await freezes.look()
  isAway = true
  for (nowMs = 1000; nowMs < 4000; nowMs += 500) await freezes.look()
  expect([freezes.has('gcash'), freezes.has('maya')]).toEqual([true, false])
  expect([freezes.paysNothing('maya'), freezes.paysNothing('gcash')]).toEqual([true, false])
})

test('where nothing was ever read, nobody goes on', async () => {
  const reader = answering(() =>
    Promise.reject(new DatabaseUnavailable('the database does not answer', 'nothing done')),
  )
  const freezes = openFreezes(reader, () => 0)
  await expect(freezes.look()).rejects.toThrow('the database does not answer')
  await expect(freezes.look()).rejects.toThrow('the database does not answer')
})
