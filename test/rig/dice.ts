// Chance from a seed: the same seed throws the same. Each part of a run takes dice of its own, so that what one does
// more often does not change what the others throw.

export type Dice = {
  /** A number from 0 to below 1. */
  readonly roll: () => number
  /** A whole number from `min` to `max`, both included. */
  readonly whole: (min: number, max: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(from: readonly T[]) => T
  /** Dice for a part of the run, told apart by its name. */
  readonly part: (name: string) => Dice
}

/** Dice of a 32-bit seed (mulberry32). */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (min: number, max: number) => min + Math.floor(roll() * (max - min + 1))
  return {
    roll,
    whole,
    chance: (probability) => roll() < probability,
    pick: (from) => from[whole(0, from.length - 1)] as (typeof from)[number],
    part: (name) =>
      diceOf(Buffer.from(name).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), seed ^ 0x811c9dc5)),
  }
}

/** A seed for a run that was not given one. */
export function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}
