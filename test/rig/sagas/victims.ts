// What the stages of both kinds of sagas are made of: gateways as processes beside a world, on its database and its provider;
// one that is to die at a point, and one that does not and heals what the others left.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChannelConfig } from '../../../src/domain/channel/config.ts'
import type { World } from '../../world.ts'
import { unsoundness } from '../books.ts'
import { type BesideProcess, startBeside } from '../gateway-beside.ts'
import type { CrashCase, Dying } from './crash-cases.ts'

export type CrashStage<Kind extends Dying> = {
  /** Plays one case up to the death; what went otherwise, in words. */
  readonly play: (which: CrashCase<Kind>) => Promise<string[]>
  /** Starts a process that does not die, and waits until every contract has come to its end; then compares. */
  readonly heal: () => Promise<string[]>
  readonly close: () => Promise<void>
}

export type Victims = {
  readonly start: (name: string, crashAt: string | null) => Promise<BesideProcess>
  /** Ends the world and removes the files. */
  readonly close: () => Promise<void>
}

type Setting = {
  readonly channels: readonly ChannelConfig[]
  readonly callTimeoutMs: number
  readonly leaseMs: number
  readonly settings?: Readonly<Record<string, string>>
}

const DIES_WITHIN_MS = 60_000

export function openVictims(program: string, world: World, setting: Setting): Victims {
  const folder = mkdtempSync('/tmp/gateway-sagas-')
  const configPath = join(folder, 'config.json')
  writeFileSync(configPath, JSON.stringify({ channels: setting.channels }))
  const settings = {
    GATEWAY_CONFIG: configPath,
    GATEWAY_CALL_TIMEOUT_MS: String(setting.callTimeoutMs),
    GATEWAY_LEASE_MS: String(setting.leaseMs),
    SANDBOX_URL: world.sandboxUrl,
    ...setting.settings,
  }
  return {
    start: (name, crashAt) => {
      const dying: Readonly<Record<string, string>> = crashAt === null ? {} : { GATEWAY_CRASH_AT: crashAt }
      return startBeside(program, folder, name, world.database.owner, { ...settings, ...dying })
    },
    close: async () => {
      await world.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits for the death, letting time go by where it is long in coming; one that does not die is ended. */
export async function endOf(
  process: BesideProcess,
  everyMs: number,
  letTimeGoBy: () => Promise<void>,
): Promise<NodeJS.Signals | 'late' | null> {
  for (const until = Date.now() + DIES_WITHIN_MS; Date.now() < until; await letTimeGoBy()) {
    const pause = new Promise<'late'>((resolve) => setTimeout(resolve, everyMs, 'late').unref())
    const end = await Promise.race([process.ended, pause])
    if (end !== 'late') return end
  }
  process.signal('SIGKILL')
  await process.ended
  return 'late'
}

/** What is found while a process that does not die ends all sagas, and afterwards in the books. */
export async function healed(
  { world, start }: { readonly world: World; readonly start: Victims['start'] },
  untilEnded: () => Promise<string[]>,
  comparison: () => Promise<string[]>,
): Promise<string[]> {
  const healer = await start('healer', null)
  try {
    const open = await untilEnded()
    return [...open, ...(await comparison()), ...(await unsoundness(world.database.owner))]
  } finally {
    healer.signal('SIGTERM')
    await healer.ended
    await world.ledgerHolds()
  }
}
