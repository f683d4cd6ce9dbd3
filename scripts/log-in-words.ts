// A line of the gateway's log as a person reads it: the time, how bad it is, what happened, its facts and its stack.
// A line that is no JSON is left as it is.
import { styleText } from 'node:util'

const LEVELS: Readonly<Record<number, readonly [name: string, style: Parameters<typeof styleText>[0]]>> = {
  20: ['debug', 'dim'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
}

export function inWords(line: string): string {
  const entry = entryOf(line)
  if (entry === null) return line
  const { level, time, msg, err, ...facts } = entry
  const [name, style] = LEVELS[Number(level)] ?? [String(level), 'dim']
  const told = Object.entries(facts).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const head = `${painted('dim', clock)} ${painted(style, name.padEnd(5))} ${String(msg)}`
  return [[head, painted('dim', told.join(' '))].join('  ').trimEnd(), ...stackOf(err)].join('\n')
}

function stackOf(err: unknown): readonly string[] {
  if (typeof err !== 'object' || err === null) return []
  const { stack, message } = Object.assign({ stack: '', message: '' }, err)
  return [String(stack || message).replaceAll(/^/gm, '    ')]
}

function entryOf(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function painted(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stderr, validateStream: true })
}
