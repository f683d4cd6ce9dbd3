// One process with everything: database, sandbox provider, API and workers. Stops in order.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, openLog } from '../platform/log.ts'
import type { Config } from './config.ts'
import { keepDatabase, openDatabase, prepareDatabase } from './database.ts'
import { type DevFile, prepareDevelopment } from './development.ts'
import { registerCallbacks, registerPayments, withSandboxSecrets } from './sandbox-callbacks.ts'
import { startSandboxProcess } from './sandbox-process.ts'
import { buildGateway } from './wire.ts'

export type Running = {
  readonly url: string
  readonly dev: DevFile
  readonly log: Log
  readonly stop: () => Promise<void>
}

/** Starts all of it and answers when it is ready. `say` hears what takes its time. */
export async function startGateway(config: Config, say: (line: string) => void): Promise<Running> {
  mkdirSync(config.dataDir, { recursive: true })
  const log = openLog(config.logLevel)
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const database = keepDatabase(await openDatabase(config, say), config, log)
    undo.push(database.stop)
    await prepareDatabase(database, config, say)
    const sandbox = config.sandboxUrl === null ? await startSandboxProcess(join(config.dataDir, 'sandbox'), log) : null
    if (sandbox) undo.push(sandbox.stop)
    const sandboxUrl = sandbox?.url ?? config.sandboxUrl ?? ''
    const told = sandbox ? withSandboxSecrets(config) : config
    const gateway = await buildGateway(told, database, sandboxUrl, log)
    undo.push(gateway.stop)
    const url = await gateway.app.listen({ host: config.host, port: config.port })
    const baseUrl = config.port === 0 ? url : config.publicUrl
    const dev = await prepareDevelopment(gateway.deps, config.currencies, config.dataDir, { baseUrl, sandboxUrl })
    gateway.startWorkers()
    if (sandbox) {
      await registerCallbacks(told, sandboxUrl, url, log)
      await registerPayments(dev, sandboxUrl, url, log)
    }
    return { url, dev, log, stop }
  } catch (fault) {
    await stop()
    throw fault
  }
}
