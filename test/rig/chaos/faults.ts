// Faults as a list that can be printed, repeated and shortened: what is done to an installation, and when. All from one seed.
import type { Dice } from '../dice.ts'
import { CUTS } from './database-road.ts'

export type Fault = {
  readonly kind: string
  /** Seconds after the first story began. One that comes due while others are at work joins them. */
  readonly atSeconds: number
  /** Milliseconds that it lasts, or hours that a clock jumps; null where it has neither. */
  readonly amount: number | null
}

type Family = 'kills' | 'freezes' | 'cuts' | 'slow' | 'full-disks' | 'clock-jumps'
/** How many of each family. */
export type Counts = Partial<Readonly<Record<Family, number>>>

/** Up to more than twice as long as a worker's lease: some come back after another took over. */
const FROZEN_MS = [50, 6000] as const
const SLOW_MS = [1000, 6000] as const
const FULL_MS = [1000, 5000] as const
/** Days, but fewer than an order may be asked about or a key is kept for. */
const JUMP_HOURS_MAX = 60
const ALONE_SECONDS: Partial<Readonly<Record<Family, number>>> = { 'full-disks': 9, 'clock-jumps': 7 }
const PAUSE_SECONDS = [0.3, 3] as const

/** A gateway's name in a fault: the first has no number. */
export const nameOfGateway = (index: number) => (index === 0 ? 'gateway' : `gateway-${index + 1}`)

/** What there is of each family; gateways as often as all others together, for they hold the leases. */
function kindsOf(family: Family, gateways: number): readonly string[] {
  const names = Array.from({ length: gateways }, (_, index) => nameOfGateway(index))
  const victims = [...names, ...(gateways === 1 ? names : []), 'provider', 'postgres']
  switch (family) {
    case 'kills':
      return victims.map((victim) => `kill-${victim}`)
    case 'freezes':
      return victims.map((victim) => `freeze-${victim}`)
    case 'cuts':
      return CUTS.map((where) => `cut-${where}`)
    case 'slow':
      return ['slow']
    case 'full-disks':
      return ['full-disk']
    case 'clock-jumps':
      return ['gateway-clock', 'database-clock', 'clocks']
  }
}

const FAMILIES = ['kills', 'freezes', 'cuts', 'slow', 'full-disks', 'clock-jumps'] as const

/** So many of each, in any order. */
export function faultsOf(counts: Counts, gateways: number, dice: Dice): Fault[] {
  const left = FAMILIES.flatMap((family) => Array.from({ length: counts[family] ?? 0 }, () => family))
  const faults: Fault[] = []
  const ends = new Map<Family, number>()
  for (let at = 1; left.length > 0; at += pauseOf(dice)) {
    const [family] = left.splice(dice.whole(0, left.length - 1), 1)
    if (family !== undefined) faults.push(faultOf(family, at, gateways, dice, ends))
  }
  return faults.toSorted((a, b) => a.atSeconds - b.atSeconds)
}

/** Any of them, for so many minutes. */
export function faultsFor(minutes: number, gateways: number, dice: Dice): Fault[] {
  const faults: Fault[] = []
  const ends = new Map<Family, number>()
  for (let at = 1; at < minutes * 60; at += pauseOf(dice))
    faults.push(faultOf(dice.pick(FAMILIES), at, gateways, dice, ends))
  return faults.toSorted((a, b) => a.atSeconds - b.atSeconds)
}

const pauseOf = (dice: Dice) => dice.whole(PAUSE_SECONDS[0] * 10, PAUSE_SECONDS[1] * 10) / 10

/** There is one disk and one clock: the next of those begins when the one before is long over, as `ends` knows. */
function faultOf(family: Family, at: number, gateways: number, dice: Dice, ends: Map<Family, number>): Fault {
  const kind = dice.pick(kindsOf(family, gateways))
  const amount = amountOf(family, dice)
  const alone = ALONE_SECONDS[family] ?? null
  const from = alone === null ? at : Math.max(at, ends.get(family) ?? 0)
  if (alone !== null) ends.set(family, from + alone)
  return { kind, atSeconds: Math.round(from * 10) / 10, amount }
}

function amountOf(family: Family, dice: Dice): number | null {
  if (family === 'freezes') return dice.whole(...FROZEN_MS)
  if (family === 'slow') return dice.whole(...SLOW_MS)
  if (family === 'full-disks') return dice.whole(...FULL_MS)
  if (family === 'clock-jumps') return dice.pick([-1, 1]) * dice.whole(1, JUMP_HOURS_MAX)
  return null
}

/** `cut-after@3.2,freeze-gateway@5:2500`. */
export function faultsText(faults: readonly Fault[]): string {
  return faults
    .map(({ kind, atSeconds, amount }) => `${kind}@${atSeconds}${amount === null ? '' : `:${amount}`}`)
    .join(',')
}

/** The list of such a text. Throws where a word is none. */
export function faultsFrom(text: string, gateways: number): Fault[] {
  const known = new Set(FAMILIES.flatMap((family) => kindsOf(family, gateways)))
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const [, kind = '', at, amount] = /^([a-z0-9-]+)@([0-9.]+)(?::(-?[0-9]+))?$/.exec(word) ?? []
      if (!known.has(kind)) throw new Error(`"${word}" is no fault; there are ${[...known].join(', ')}`)
      return { kind, atSeconds: Number(at), amount: amount === undefined ? null : Number(amount) }
    })
}

/** The shortest list that is found by leaving out: halves first, then one after another. `fails` tries a list. */
export async function shortest<T>(all: readonly T[], fails: (fewer: readonly T[]) => Promise<boolean>): Promise<T[]> {
  let left = [...all]
  for (let size = Math.ceil(left.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < left.length; ) {
      const fewer = left.toSpliced(at, size)
      if (fewer.length > 0 && (await fails(fewer))) left = fewer
      else at += size
    }
  return left
}
