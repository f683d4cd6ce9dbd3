// A gateway as a child process: the real one, started as `gateway start` starts it, with its settings as an argument and
// a profiler that can be switched on from outside. It ends with its parent. With several processes it is their supervisor,
// and runs once more for each.
import cluster from 'node:cluster'
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { readConfig } from '../../src/main/config/config.ts'
import { runChild } from '../../src/main/processes/child.ts'
import { superviseGateway } from '../../src/main/processes/supervisor.ts'
import { startGateway } from '../../src/main/start.ts'

/** Orders of the parent: a profile of the processor time from the first message to the second. */
export type ProfileOrder = { readonly profile: 'begin' } | { readonly profile: 'end'; readonly path: string }

const settings = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>
const config = readConfig(settings)
if (cluster.isWorker) await runChild(config, (fault) => ({ code: 'failed', message: String(fault) }))
const running = await (config.processes > 1 ? superviseGateway : startGateway)(config, () => undefined)
const inspector = new Session()
inspector.connect()

async function obey(order: ProfileOrder): Promise<void> {
  if (order.profile === 'begin') {
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.setSamplingInterval', { interval: 500 })
    await inspector.post('Profiler.start')
    return
  }
  const { profile } = await inspector.post('Profiler.stop')
  writeFileSync(order.path, JSON.stringify(profile))
  process.send?.({ profiled: order.path })
}

process.on('message', (order) => void obey(order as ProfileOrder))
process.once('disconnect', () => void running.stop().finally(() => process.exit(0)))
process.send?.({ url: running.url })
