// Single settings from the environment, each with its fallback; faults are noted, so that all are reported at once.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type SettingName, textOf } from './settings.ts'

export type Env = Readonly<Record<string, string | undefined>>

export type Reader = {
  readonly whole: (name: SettingName, fallback: number, min: number, max: number) => number
  readonly oneOf: <T extends string>(name: SettingName, choices: readonly T[], fallback: T) => T
  readonly scale: (name: SettingName) => number
  /** A whole number, or `auto` for what the machine has. */
  readonly countOr: (name: SettingName, auto: () => number, max: number) => number
}

/** Told of each setting that is read: what it is by default, and what it may be. For docs/configuration.md. */
export type Asked = (name: SettingName, fallback: string | number, form: string) => void

/** Reads single settings; what is wrong with one is noted, and its fallback is taken. */
export function readerOf(env: Env, faults: string[], asked: Asked = () => undefined): Reader {
  const read = <T extends string | number>(
    name: SettingName,
    fallback: T,
    parse: (text: string) => T | undefined,
    form: string,
  ): T => {
    asked(name, fallback, form)
    const text = env[name]
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    if (value !== undefined) return value
    faults.push(`${name} must be ${form}, not "${text}"`)
    return fallback
  }
  return {
    whole: (name, fallback, min, max) => {
      const parse = (text: string) => {
        const value = Number(text)
        return Number.isInteger(value) && value >= min && value <= max ? value : undefined
      }
      return read(name, fallback, parse, `a whole number from ${min} to ${max}`)
    },
    oneOf: (name, choices, fallback) =>
      read(name, fallback, (text) => choices.find((choice) => choice === text), `one of ${choices.join(', ')}`),
    countOr: (name, auto, max) => {
      return read(name, 1, (text) => countOf(text, auto, max), `auto, or a whole number from 1 to ${max}`)
    },
    scale: (name) => {
      const parse = (text: string) => (Number(text) > 0 && Number(text) <= 1 ? Number(text) : undefined)
      return read(name, 1, parse, 'a number over 0 and up to 1')
    },
  }
}

/** A number of things up to `max`, or `auto` for what the machine has; undefined for anything else. */
export function countOf(text: string, auto: () => number, max: number): number | undefined {
  const value = text === 'auto' ? Math.min(auto(), max) : Number(text)
  return Number.isInteger(value) && value >= 1 && value <= max ? value : undefined
}

/** Where the gateway keeps its files, and dev.json among them. */
export const dataDirOf = (env: Env): string => resolve(textOf(env, 'GATEWAY_DATA_DIR'))

/** The elements of a setting that is a list with commas. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** A host name or address that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '')
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}
