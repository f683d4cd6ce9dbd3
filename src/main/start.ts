// One process with everything: database, API and workers, and in development the sandbox provider beside them. Stops in order.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pauseAtStart } from '../app/operator/payout-pauses.ts'
import { type Log, openLog } from '../platform/log.ts'
import type { Config } from './config/config.ts'
import { type Database, keepDatabase, openDatabase, prepareDatabase } from './database/database.ts'
import { type Development, prepareDevelopment } from './development.ts'
import { openFunds } from './operator/funding.ts'
import { clearUpSooner } from './memory.ts'
import { openMetricsDoor } from './metrics-door.ts'
import {
  newPlayedSecrets,
  registerCallbacks,
  registerPayments,
  withPlayedSecrets,
} from './sandbox/sandbox-callbacks.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox/sandbox-process.ts'
import { buildGateway, type Gateway } from './assemble.ts'

export type Running = {
  /** How this machine reaches it. */
  readonly url: string
  /** How all others reach it; links in replies begin with it. */
  readonly publicUrl: string
  /** Where figures are served without a key; null for nowhere. */
  readonly metricsUrl: string | null
  /** Null in production. */
  readonly development: (Development & { readonly sandboxUrl: string }) | null
  /** Whether it has begun in recovery: it moves no money until operators end that. */
  readonly inRecovery: boolean
  /** Resolves when it must end, for a newer release has changed the schema; with the migration's name. */
  readonly outdated: Promise<string>
  readonly log: Log
  readonly stop: () => Promise<void>
}

/** Where root starts it, the database's unprivileged user must pass; no other user may list what is in it. */
const DIRECTORY_MODE = process.getuid?.() === 0 ? 0o711 : 0o700

/**
 * Starts all of it and resolves when it is ready. `say` gets what takes long. Only for a mode that is decided. Where the database
 * under it turns out to be another one, it stops in order and begins anew, as a new process would: nothing is left in memory
 * of what was lost.
 */
export async function startGateway(config: Config, say: (line: string) => void): Promise<Running> {
  const first = await startOnce(config, say)
  const again = { ...config, port: Number(new URL(first.url).port) }
  let current: Promise<Started> = Promise.resolve(first)
  let isStopping = false
  let tellOutdated: (name: string) => void = () => undefined
  const outdated = new Promise<string>((resolve) => (tellOutdated = resolve))
  const follow = (started: Started) => {
    void started.outdated.then(tellOutdated)
    void started.mustStartAgain.then((why) => {
      if (isStopping) return
      started.log.error({ because: why }, 'everything begins anew')
      // Where it cannot, the process ends: whoever starts it again finds the fault.
      current = started.stop().then(() => startOnce(again, say))
      void current.then(follow)
    })
  }
  follow(first)
  const stop = async () => {
    isStopping = true
    await (await current).stop()
  }
  return { ...first, outdated, stop }
}

type Started = Running & Pick<Gateway, 'mustStartAgain'>

async function startOnce(config: Config, say: (line: string) => void): Promise<Started> {
  if (config.mode === null) throw new Error('a gateway is started in development or in production')
  clearUpSooner()
  // Ours from the beginning; one that was there keeps the modes that its owner gave it.
  if (!existsSync(config.dataDir)) mkdirSync(config.dataDir, { recursive: true, mode: DIRECTORY_MODE })
  const log = openLog(config.logLevel)
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    // Beside the database, which takes longer.
    const starting = startedProvider(config, log)
    // Checked below; a database that fails first is the reason that is reported.
    starting.catch(() => undefined)
    undo.push(async () => (await starting.catch(() => null))?.stop())
    const database = keepDatabase(await openDatabase(config, say, 'start'), config, log)
    undo.push(database.stop)
    await prepareDatabase(database, config, say)
    const isDevelopment = config.mode === 'development'
    const sandbox = await starting
    const sandboxUrl = isDevelopment ? (sandbox?.url ?? config.sandboxUrl ?? '') : ''
    const played = sandbox ? newPlayedSecrets(config) : new Map<string, string>()
    const token = sandbox?.token ?? null
    const provider = sandboxUrl === '' ? null : { url: sandboxUrl, token }
    const gateway = await buildGateway(withPlayedSecrets(config, played), database, provider, log)
    undo.push(gateway.stop)
    const metricsUrl = await openMetrics(config, gateway, undo)
    const { url, publicUrl } = config.role === 'worker' ? nowhere(config) : await gateway.listen()
    const consoleUrl = config.console === 'on' ? `${publicUrl}/console/` : null
    const places = { baseUrl: publicUrl, consoleUrl, sandboxUrl, sandboxToken: token }
    const development = isDevelopment
      ? { ...(await developmentOf({ config, gateway, database }, places)), sandboxUrl }
      : null
    if (config.payouts === 'off') await pauseAtStart(gateway.deps.reader)
    gateway.startWorkers()
    if (sandbox && development) {
      await registerCallbacks(sandbox, played, url, log)
      await tellPayments(sandbox, development, url, log)
    }
    const { outdated, mustStartAgain } = gateway
    const inRecovery = gateway.inRecovery()
    return { url, publicUrl, metricsUrl, development, inRecovery, outdated, mustStartAgain, log, stop }
  } catch (fault) {
    await stop()
    throw fault
  }
}

/** A process that only works in lanes listens at no port; links lead where others listen. */
const nowhere = ({ publicUrl }: Config) => ({ url: publicUrl, publicUrl })

/** None in production, and none where it runs elsewhere. */
async function startedProvider({ mode, sandboxUrl, dataDir }: Config, log: Log): Promise<SandboxProcess | null> {
  if (mode !== 'development' || sandboxUrl !== null) return null
  return startSandboxProcess(join(dataDir, 'sandbox'), log)
}

type Places = Parameters<typeof prepareDevelopment>[3]

type Parts = { readonly config: Config; readonly gateway: Gateway; readonly database: Database }

async function developmentOf({ config, gateway, database }: Parts, places: Places): Promise<Development> {
  return prepareDevelopment(gateway.deps, config.currencies, config.dataDir, places, () => openFunds(database))
}

async function tellPayments(sandbox: SandboxProcess, { file }: Development, url: string, log: Log): Promise<void> {
  const { account_id: accountId, webhook_key: key, webhook_secret: secret } = file
  if (accountId && key && secret) await registerPayments(sandbox, { accountId, key, secret }, url, log)
}

async function openMetrics(
  { metrics: { host, port } }: Config,
  { figures }: Gateway,
  undo: (() => Promise<void>)[],
): Promise<string | null> {
  if (port === null) return null
  const door = await openMetricsDoor(host, port, figures)
  undo.push(door.stop)
  return door.url
}
