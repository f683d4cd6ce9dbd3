// The load of the day of a restore: clients who mean one thing after another, as many as there is room for. Without a bound a slow
// machine would make them mean the more, the longer the gateway is away, and the day would be the longer for it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../caller.ts'
import type { Dice } from '../dice.ts'
import { type Intent, intentOf, pursue } from './intents.ts'
import type { Payers } from './payers.ts'

export const CLIENTS = 5
/** So many things are begun at most until there is room for more: enough of them order something to be paid (day.ts). */
const ROOM = 120
const PAUSE_MS = 50

export type Load = {
  readonly makeRoom: () => void
  readonly stop: () => Promise<void>
}

type Places = {
  readonly dice: Dice
  readonly intents: Intent[]
  readonly callers: readonly Caller[]
  readonly payers: Payers
}

export function startLoad({ dice, intents, callers, payers }: Places): Load {
  let isOver = false
  let room = ROOM
  const plans = dice.part('intents')
  const client = async () => {
    for (; !isOver; await sleep(PAUSE_MS)) {
      if (intents.length >= room) continue
      const number = intents.length + 1
      const intent = intentOf(plans.part(String(number)), number)
      intents.push(intent)
      // Without an answer it is asked again after the restore, as by clients that have gone home.
      await pursue(callers, payers, intent, true).catch(() => sleep(2 * PAUSE_MS))
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  return {
    makeRoom: () => (room = intents.length + ROOM),
    stop: async () => {
      isOver = true
      await Promise.all(clients)
    },
  }
}
