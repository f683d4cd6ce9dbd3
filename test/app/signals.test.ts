// Signals reach those who listen to the very account, and cost nothing where nobody does.
import { expect, test } from 'vitest'
import { openSignals } from '../../src/app/webhooks/signals.ts'

function listening(signals: ReturnType<typeof openSignals>, accountId: string) {
  const heard = { times: 0, stop: signals.listen(accountId, () => heard.times++) }
  return heard
}

test('a tell reaches every listener of its accounts once, and nobody else', () => {
  const signals = openSignals()
  const [one, two, other] = [listening(signals, 'a'), listening(signals, 'a'), listening(signals, 'b')]
  signals.notify(['a', 'a', 'c', 'a'])
  expect([one.times, two.times, other.times]).toEqual([1, 1, 0])
  one.stop()
  signals.notify(['b', 'a'])
  expect([one.times, two.times, other.times]).toEqual([1, 2, 1])
})

test('a callback that listens twice and stops once still hears', () => {
  const signals = openSignals()
  let times = 0
  const callback = () => times++
  const stop = signals.listen('a', callback)
  signals.listen('a', callback)
  signals.notify(['a'])
  expect(times).toBe(2)
  stop()
  stop()
  signals.notify(['a'])
  expect(times).toBe(3)
})

test('where nobody listens, or nobody does any more, the accounts are not looked at', () => {
  const signals = openSignals()
  let looked = 0
  function* accounts(): Generator<string> {
    looked++
    yield 'a'
  }
  signals.notify(accounts())
  expect(looked).toBe(0)
  const heard = listening(signals, 'a')
  signals.notify(accounts())
  expect([looked, heard.times]).toEqual([1, 1])
  heard.stop()
  signals.notify(accounts())
  expect([looked, heard.times]).toEqual([1, 1])
})

test('one who stops, or starts, while being told', () => {
  const signals = openSignals()
  const heard: string[] = []
  const stop = signals.listen('a', () => {
    heard.push('first')
    stop()
  })
  signals.listen('a', () => heard.push('second'))
  signals.notify(['a'])
  signals.notify(['a'])
  expect(heard).toEqual(['first', 'second', 'second'])
})
