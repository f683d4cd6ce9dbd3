// The servers that are measured, as child processes: a gateway on a database of its own, and the bare framework.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import type { Canned } from './bare-process.ts'
import type { ProfileOrder } from './gateway-process.ts'
import type { ConsolesWish } from './consoles-process.ts'
import { nextMessage, type Stage } from './stage.ts'

export type Server = { readonly port: number; readonly pid: number; readonly child: ChildProcess }

/** What differs between the gateways that are compared. */
export type GatewayWish = {
  readonly databaseUrl: string
  /** Apart from the others of this run: names its folder and its files. */
  readonly name: string
  readonly undoSeconds: number
  readonly batchMax: number
  /** One where it is left out. */
  readonly processes?: number
  /** Where all its traces go; nothing is traced without it. */
  readonly collector?: string
}

export async function startGatewayProcess(stage: Stage, wish: GatewayWish): Promise<Server> {
  const { databaseUrl, name, undoSeconds, batchMax, processes = 1, collector } = wish
  const configPath = join(stage.directory, `${name}.json`)
  const channels = SHIPPED_CHANNELS.map((channel) => ({ ...channel, undo_seconds: undoSeconds }))
  writeFileSync(configPath, JSON.stringify({ channels }))
  const settings = {
    HOST: '127.0.0.1',
    PORT: String(processes > 1 ? await freePort() : 0),
    DATABASE_URL: databaseUrl,
    GATEWAY_DATA_DIR: join(stage.directory, name),
    GATEWAY_CONFIG: configPath,
    GATEWAY_RATE_LIMIT: '0',
    GATEWAY_SEALING_KEYS: stage.sealingKeys,
    GATEWAY_BATCH_MAX: String(batchMax),
    GATEWAY_PROCESSES: String(processes),
    ...(collector === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector }),
  }
  return started(stage.launch('stage/gateway-process', [JSON.stringify(settings)]), `the gateway ${name}`)
}

/** Several processes take a port that is said before. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export async function startBareProcess(stage: Stage, canned: Canned): Promise<Server> {
  const path = join(stage.directory, 'bare.json')
  writeFileSync(path, JSON.stringify(canned))
  return started(stage.launch('stage/bare-process', [path]), 'the bare server')
}

/** So many open consoles of one account; there when all of them follow its events. */
export async function startConsolesProcess(stage: Stage, wish: ConsolesWish): Promise<ChildProcess> {
  return (await started(stage.launch('stage/consoles-process', [JSON.stringify(wish)]), 'the consoles')).child
}

/** Where traces go: it takes all of them, and keeps none. */
export async function startCollectorProcess(stage: Stage): Promise<string> {
  const { port } = await started(stage.launch('stage/collector-process', []), 'the collector')
  return `http://127.0.0.1:${port}`
}

async function started(child: ChildProcess, what: string): Promise<Server> {
  const { url } = (await nextMessage(child, what)) as { url: string }
  if (child.pid === undefined) throw new Error(`${what} has no process id`)
  return { port: Number(new URL(url).port), pid: child.pid, child }
}

/** Begins a profile of a gateway's processor time; the function returned ends it and writes the file. */
export function beginProfile(server: Server, path: string): () => Promise<void> {
  server.child.send({ profile: 'begin' } satisfies ProfileOrder)
  return async () => {
    server.child.send({ profile: 'end', path } satisfies ProfileOrder)
    await nextMessage(server.child, 'the profiled gateway')
  }
}
