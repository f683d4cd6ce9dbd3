// The servers beside home that did not answer at the start. Nothing is sent to one of them until the gateway has begun anew with it, which
// compares it with what was noted of it, as at any start.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../workers/loop.ts'
import type { Config } from '../config/config.ts'
import type { LaneServer } from '../config/lane-servers.ts'
import { laneServerAt } from './database.ts'
import type { Database } from './opened.ts'
import { prepareServer } from './prepare.ts'
import { answers } from './servers.ts'

const LOOK_MS = 2000
/** Gateways begin anew one after another rather than at once: accounts of the other servers find one that answers. */
const APART_MS = 3000

export type AbsentServers = {
  /** Looks for them from now on. `tell`: one of them is there and ready, and all must begin anew; with words. */
  readonly start: (tell: (why: string) => void) => void
  readonly stop: () => Promise<void>
}

export function openAbsentServers(
  home: Database,
  config: Pick<Config, 'mode' | 'durability' | 'laneServers'>,
  log: Log,
): AbsentServers {
  const awaited = config.laneServers.filter(({ name }) => home.others?.absent.has(name))
  let loop: Loop | null = null

  const isReady = async (wanted: LaneServer): Promise<boolean> => {
    const server = await laneServerAt(config, wanted, 'is left out')
    if (!(await answers(server))) return false
    try {
      await prepareServer(home, server, wanted, config, () => undefined)
      return true
    } catch (fault) {
      // Whoever began anew would end with this.
      log.warn({ err: fault, server: wanted.name }, 'a server is there again, and is refused')
      return false
    }
  }

  return {
    start: (tell) => {
      if (awaited.length === 0) return
      const servers = awaited.map(({ name }) => name)
      log.warn({ servers }, 'these servers do not answer: accounts of their lanes wait until they do')
      let isTold = false
      const round = async () => {
        for (const wanted of awaited) {
          if (isTold || !(await isReady(wanted))) continue
          await sleep(randomInt(APART_MS))
          isTold = true
          tell(`the server ${wanted.name}, which did not answer at the start, is there`)
        }
        return 0
      }
      loop = startLoop({ name: 'absent servers', round, idleMs: LOOK_MS, log })
    },
    stop: async () => loop?.stop(),
  }
}
