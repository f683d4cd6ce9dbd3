// Events of a contract that never was, as bytes, for trying out a receiver. Knows nothing about who sends them.
import { randomBytes } from 'node:crypto'
import { EXAMPLES, SHIPPED_CHANNELS } from '../../connectors/catalogue.ts'
import { channelFacts } from '../../domain/channel/config.ts'
import type { ChannelFacts } from '../../domain/channel/channel.ts'
import { laneUuid } from '../../domain/contract/ids.ts'
import type { EventType } from '../../domain/transfer/moves.ts'
import { sampleContract } from '../../domain/transfer/sample.ts'
import { presentEvent } from '../../wire/events.ts'
import type { Presenter } from '../../wire/transfer.ts'

export type Sample = { readonly id: string; readonly body: Buffer }

export type SampleEvents = {
  /** An event of the one contract. The same word gives the same event, byte for byte. */
  readonly contract: (word: keyof typeof ORDER) => Sample
  /** One that was never there before. */
  readonly fresh: () => Sample
  /** Of a type that no receiver can know. */
  readonly unknown: () => Sample
  /** Of so many bytes, or a little more. */
  readonly large: (bytes: number) => Sample
}

/** Their order in the life of the contract. */
const ORDER = { updated: 2, paid: 4, completed: 5 } as const
const PROFILE = '00000000-0000-8000-8000-000000000002'
const BASE_URL = 'http://127.0.0.1:3000'

/** The events of a new sample contract. */
export function sampleEvents(): SampleEvents {
  const nowMs = Date.now()
  const owner = { id: laneUuid(0, nowMs, randomBytes(9).toString('hex')), lane: 0, accountId: PROFILE, livemode: false }
  const channel = sandboxChannel()
  const presenter = presenterOf(channel)
  const present = (type: EventType, sequence: number) =>
    presentEvent(presenter, { ...sampleContract(type, owner, channel, nowMs), sequence }, type, PROFILE)
  let last: number = ORDER.completed
  const next = () => (last += 1)
  return {
    contract: (word) => sampleOf(present(`contract.${word}`, ORDER[word])),
    fresh: () => sampleOf(present('contract.cancelled', next())),
    unknown: () => sampleOf({ ...present('contract.updated', next()), type: 'contract.renamed', event: 'renamed' }),
    large: (bytes) => {
      const event = present('contract.updated', next())
      const object = { ...event.data.object, description: 'A sample of a large one. '.repeat(bytes / 25) }
      return sampleOf({ ...event, data: { object } })
    },
  }
}

const sampleOf = <Event extends { readonly id: string }>(event: Event): Sample => ({
  id: event.id,
  body: Buffer.from(JSON.stringify(event)),
})

function sandboxChannel(): ChannelFacts | null {
  const config = SHIPPED_CHANNELS.find(({ id }) => id === EXAMPLES.trial)
  return config ? channelFacts(config, 1, 'test') : null
}

function presenterOf(channel: ChannelFacts | null): Presenter {
  const known = (id: string) => (channel?.id === id ? channel : undefined)
  return {
    baseUrl: BASE_URL,
    checkoutUrl: (id) => `${BASE_URL}/pay/${id}`,
    channels: { current: known, at: known, all: () => (channel ? [channel] : []) },
  }
}
