// The text that a collector reads: names, types and labels, and a registry for each gateway of a process.
import { expect, test } from 'vitest'
import { openMetrics } from '../../src/platform/metrics.ts'

test('counters, gauges and times as Prometheus reads them', async () => {
  const metrics = openMetrics()
  metrics.counter('commands_total', 'Commands.').inc(3)
  metrics.counter('taken_total', 'Taken.', 'channel').inc({ channel: 'a"b' })
  let depth = 1
  metrics.gauge('depth', 'Depth.', () => depth)
  metrics.channelGauge('calls', 'Calls.', ['maya', 'gcash'], (channel) => channel.length)
  metrics.times('seconds', 'Seconds.').observe(0.02)
  depth = 2
  const lines = (await metrics.text()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      '# HELP commands_total Commands.',
      '# TYPE commands_total counter',
      'commands_total 3',
      'taken_total{channel="a\\"b"} 1',
      '# TYPE depth gauge',
      'depth 2',
      'calls{channel="maya"} 4',
      'calls{channel="gcash"} 5',
      '# TYPE seconds histogram',
      'seconds_bucket{le="0.01"} 0',
      'seconds_bucket{le="0.025"} 1',
      'seconds_bucket{le="+Inf"} 1',
      'seconds_sum 0.02',
      'seconds_count 1',
    ]),
  )
})

test('two gateways of one process count apart', async () => {
  const [one, other] = [openMetrics(), openMetrics()]
  one.counter('commands_total', 'Commands.').inc(1)
  other.counter('commands_total', 'Commands.')
  expect(await one.text()).toContain('commands_total 1\n')
  expect(await other.text()).toContain('commands_total 0\n')
})
