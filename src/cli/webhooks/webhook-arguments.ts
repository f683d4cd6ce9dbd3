// How the arguments of the commands about events and webhooks are read. One that cannot be read is a wrong use, and the
// message says what would be right.
import { readFileSync } from 'node:fs'
import { contractOfEvent } from '../../domain/contract/ids.ts'
import { EVENT_TYPES, type EventType } from '../../domain/transfer/moves.ts'
import { secondsIn, wordOf } from '../arguments.ts'
import { CommandFailed } from '../failures.ts'

/** The types as people write them: without "contract.". */
export const SHORT_TYPES = EVENT_TYPES.map((type) => type.replace('contract.', '')).join(', ')

/** "contract.paid" or "paid". */
export const eventType = wordOf(`Choose from ${SHORT_TYPES}.`, (text) =>
  EVENT_TYPES.find((type) => type === text || type === `contract.${text}`),
)

/** "paid,contract.completed". */
export function eventTypes(text: string): EventType[] {
  return [...new Set(text.split(',').map((word) => eventType(word.trim())))]
}

/** Like {@link eventTypes}, or "*" for all there are and will be. */
export function eventFilter(text: string): string[] {
  return text === '*' || text === 'all' ? ['*'] : eventTypes(text)
}

export const eventIdText = wordOf('Give the id of an event, evt_ and 36 digits, as "events list" shows it.', (text) =>
  contractOfEvent(text) === undefined ? null : text,
)

export const deliveryId = wordOf(
  'Give the id of a delivery, such as dlv_17_0, as "webhooks deliveries" shows it.',
  (text) => (/^dlv_\d{1,19}_\d{1,9}(?:_\d{1,9})?$/.test(text) ? text : null),
)

/** An ISO 8601 time, or how long ago: "90m" means ninety minutes before now. */
export const timeOf = wordOf(
  'Give a time such as 2026-11-01T08:00:00Z, or how long ago, such as 90m or 2d.',
  (text) => {
    const ago = secondsIn(text)
    const atMs = ago === null ? Date.parse(text) : Date.now() - ago * 1000
    const isTime = ago !== null || /^\d{4}-\d\d-\d\d/.test(text)
    return isTime && !Number.isNaN(atMs) ? new Date(atMs).toISOString() : null
  },
)

/** Seconds since 1970. */
export const unixSeconds = wordOf('Give Unix seconds, such as 1793520000.', (text) =>
  /^\d{1,12}$/.test(text) ? Number(text) : null,
)

/** An address to send to. Whether the gateway would deliver there is for the gateway to say. */
export const httpUrl = wordOf('Give a whole address, such as http://127.0.0.1:8080/webhooks.', (text) => {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
})

export const webhookSecret = wordOf(
  'Give a secret as "webhooks create" shows it: whsec_ followed by base64.',
  (text) => {
    const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
    return key !== undefined && Buffer.from(key, 'base64').toString('base64') === key ? text : null
  },
)

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
