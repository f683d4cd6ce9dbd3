// Which server is written: the one that is worked with, one that took over when it was looked at, and never one that was replaced.
import { expect, test } from 'vitest'
import { serversOf } from '../../src/platform/postgres/hosts.ts'
import { openStanding, OtherServer } from '../../src/platform/postgres/standing.ts'

const first = { systemId: '7', timeline: 1 }
const second = { systemId: '7', timeline: 2 }

test('a server that took over is written only once it was looked at; the other one not any more', () => {
  const standing = openStanding()
  const seat = standing.seat()
  seat.admit(second)
  standing.workWith(first)
  expect([seat.holds(first), seat.holds(second), standing.met()]).toEqual([true, false, null])
  expect(() => seat.admit(second)).toThrow(OtherServer)
  // A connection that is open still leads to the first one: it is not used while nobody knows.
  expect([seat.holds(first), standing.met()]).toEqual([false, second])
  standing.looking().admit(second)
  standing.workWith(second)
  expect([seat.holds(second), seat.holds(first), standing.met()]).toEqual([true, false, null])
  expect(() => seat.admit(first)).toThrow(/was replaced/)
  expect(standing.met()).toBeNull()
})

test('where the address leads to the first server again, it is worked with as before', () => {
  const standing = openStanding()
  standing.workWith(first)
  const seat = standing.seat()
  expect(() => seat.admit(second)).toThrow(/took over/)
  expect(() => standing.looking().admit(first)).toThrow(OtherServer)
  expect([seat.holds(first), standing.met()]).toEqual([true, null])
})

test('each session’s newest acknowledged transaction is known', () => {
  const standing = openStanding()
  const [one, other] = [standing.seat(), standing.seat()]
  one.acknowledged?.({ transactionId: '1', position: 10n })
  other.acknowledged?.({ transactionId: '2', position: 20n })
  one.acknowledged?.({ transactionId: '3', position: 30n })
  expect(standing.acknowledged()).toEqual([
    { transactionId: '3', position: 30n },
    { transactionId: '2', position: 20n },
  ])
})

test('what was acknowledged by some moment can be forgotten, and nothing that came after it', () => {
  const standing = openStanding()
  const [one, other] = [standing.seat(), standing.seat()]
  one.acknowledged?.({ transactionId: '1', position: 10n })
  other.acknowledged?.({ transactionId: '2', position: 20n })
  const by = standing.acknowledgements()
  one.acknowledged?.({ transactionId: '3', position: 30n })
  standing.forget(by)
  expect(standing.acknowledged()).toEqual([{ transactionId: '3', position: 30n }])
  standing.forget(standing.acknowledgements())
  expect(standing.acknowledged()).toEqual([])
})

test('a URL with several servers is each of them in turn', () => {
  const urls = (connectionString: string) => serversOf({ connectionString }).map((each) => each.connectionString)
  expect(urls('postgres://u:p%40@127.0.0.1:5432,[::1]:5433,10.0.0.9/db?sslmode=require')).toEqual([
    'postgres://u:p%40@127.0.0.1:5432/db?sslmode=require',
    'postgres://u:p%40@[::1]:5433/db?sslmode=require',
    'postgres://u:p%40@10.0.0.9/db?sslmode=require',
  ])
  expect(urls('postgresql://127.0.0.1/db?application_name=a,b')).toEqual([
    'postgresql://127.0.0.1/db?application_name=a,b',
  ])
  expect(serversOf({ host: '/run', others: [{ host: '/other' }] })).toEqual([{ host: '/run' }, { host: '/other' }])
})
