// How the words of the commands about events and webhooks are read. A word that cannot be read is a wrong use, told with
// what would be right.
import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { contractOfEvent, isUuid } from '../../domain/contract/ids.ts'
import { EVENT_TYPES, type EventType } from '../../domain/transfer/moves.ts'
import { CommandFailed } from '../arguments.ts'

const SHORT_NAMES = EVENT_TYPES.map((type) => type.replace('contract.', ''))

/** "contract.paid" or "paid". */
export function eventType(text: string): EventType {
  const found = EVENT_TYPES.find((type) => type === text || type === `contract.${text}`)
  if (found === undefined) throw new InvalidArgumentError(`Choose from ${SHORT_NAMES.join(', ')}.`)
  return found
}

/** "paid,contract.completed". */
export function eventTypes(text: string): EventType[] {
  return [...new Set(text.split(',').map((word) => eventType(word.trim())))]
}

/** Like {@link eventTypes}, or "*" for all there are and will be. */
export function eventFilter(text: string): string[] {
  return text === '*' || text === 'all' ? ['*'] : eventTypes(text)
}

export function eventIdText(text: string): string {
  if (contractOfEvent(text) === undefined)
    throw new InvalidArgumentError('Give the id of an event, evt_ and 36 digits, as "events list" shows it.')
  return text
}

/** Ids of endpoints are UUIDs; what they look like is the gateway's business, so only the obvious is caught here. */
export function endpointId(text: string): string {
  if (!isUuid(text.toLowerCase()))
    throw new InvalidArgumentError('Give the id of an endpoint, as "webhooks list" shows it.')
  return text.toLowerCase()
}

export function deliveryId(text: string): string {
  if (!/^dlv_\d{1,19}_\d{1,9}$/.test(text))
    throw new InvalidArgumentError('Give the id of a delivery, such as dlv_17_0, as "webhooks deliveries" shows it.')
  return text
}

/** An ISO 8601 time, or how long ago: "90m" means ninety minutes before now. */
export function timeText(text: string): string {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return new Date(Date.now() - Number(count) * (UNIT_MS[unit] ?? 0)).toISOString()
  const atMs = Date.parse(text)
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(atMs))
    throw new InvalidArgumentError('Give a time such as 2026-11-01T08:00:00Z, or how long ago, such as 90m or 2d.')
  return new Date(atMs).toISOString()
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Seconds since 1970. */
export function unixSeconds(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('Give Unix seconds, such as 1793520000.')
  return Number(text)
}

/** An address to send to. Whether the gateway would deliver there is for the gateway to say. */
export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('Give a whole address, such as http://127.0.0.1:8080/webhooks.')
  return url.href
}

export function webhookSecret(text: string): string {
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  if (key === undefined || Buffer.from(key, 'base64').toString('base64') !== key)
    throw new InvalidArgumentError('Give a secret as "webhooks create" shows it: whsec_ followed by base64.')
  return text
}

/** The bytes of a file, or of standard input where none is named. */
export function bytesOf(file: string | undefined): Buffer {
  if (file === undefined && process.stdin.isTTY)
    throw new CommandFailed('There is no body. Give --file, or pipe it in: cat body.json | gateway webhooks …')
  try {
    // 0 is standard input.
    return readFileSync(file ?? 0)
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    throw new CommandFailed(`${file ?? 'Standard input'} cannot be read (${code ?? 'unknown'}). Name a file that can.`)
  }
}
