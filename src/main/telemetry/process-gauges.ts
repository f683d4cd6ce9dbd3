// The process itself: memory, and how busy its one thread is.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { readFileSync } from 'node:fs'
import type { Metrics } from '../../platform/metrics.ts'
import { packageFile } from '../package-file.ts'

const NS_PER_SECOND = 1e9
// Each look wakes the thread, whether or not anything goes on.
const RESOLUTION_MS = 100

export function gaugeProcess(metrics: Metrics): { readonly stop: () => void } {
  metrics.info('gateway_build_info', 'The release and the runtime.', {
    version: versionOf(),
    node: process.versions.node,
  })
  metrics.gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  metrics.gauge('process_heap_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed)
  const startedAt = Math.floor((Date.now() - performance.now()) / 1000)
  metrics.gauge('process_start_time_seconds', 'When the process started.', () => startedAt)
  let before = performance.eventLoopUtilization()
  metrics.gauge(
    'gateway_event_loop_utilization',
    'Share of the time since the last reading in which the thread worked.',
    () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
  )
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  metrics.gauge('gateway_event_loop_lag_seconds', 'The 99th percentile of delays since the last reading.', () => {
    const seconds = Math.max(0, delay.percentile(99) / NS_PER_SECOND - RESOLUTION_MS / 1000)
    delay.reset()
    return seconds
  })
  return { stop: () => void delay.disable() }
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  return version
}
