// A gateway that brings money in, with the real provider telling it of payers by signed events over HTTP, and payers who have
// nothing but the token of their page. What should succeed and does not fails the test at once.
import type { Static } from 'typebox'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import type { ChannelConfig } from '../../../src/domain/channel/config.ts'
import type { Config } from '../../../src/main/config/config.ts'
import type { OwnersPayment, PaymentContract } from '../../../src/wire/payment.ts'
import { control, type Json } from '../../sandbox/rails.ts'
import { type Caller, type Method, openWorld, type World } from '../../world.ts'
import { makeProvider } from './receiver-world.ts'

/** The payer’s step as its schema has it: whichever members its type has. */
export type PaymentBody = Omit<OwnersPayment, 'next_action'> & Pick<Static<typeof PaymentContract>, 'next_action'>
export type Wire = { readonly status: number; readonly text: string; readonly headers: Headers; readonly body: Json }

export type PayStage = {
  readonly world: World
  /** Where the gateway listens. */
  readonly address: string
  /** A contract over 100 PHP with these fields in place of its own. */
  readonly open: (fields?: Json, caller?: Caller) => Promise<PaymentBody>
  /** A request over the wire with the payer's token. */
  readonly asPayer: (
    payment: PaymentBody,
    method: Method,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Wire>
  /** The payer chooses how to pay. */
  readonly choose: (payment: PaymentBody, method: Json) => Promise<PaymentBody>
  readonly get: (id: string, caller?: Caller) => Promise<PaymentBody>
  /** Waits until the contract is as the test says. */
  readonly until: (id: string, isSo: (payment: PaymentBody) => boolean, caller?: Caller) => Promise<PaymentBody>
  readonly ends: (id: string, status: PaymentBody['status']) => Promise<PaymentBody>
  readonly refund: (id: string, fields?: Json) => Promise<PaymentBody>
  /** The provider's books about the contract's attempts on a rail. */
  readonly truth: (rail: string, payment: PaymentBody) => Promise<Json[]>
  readonly advance: (seconds: number) => Promise<unknown>
  readonly close: () => Promise<void>
}

const AT_ONCE = 0
const A_DAY = 86_400

/** The shipped channels that settle at once, and beside them slower ones by the same connectors. */
function channelsOf(): ChannelConfig[] {
  const settling = (channel: ChannelConfig, seconds: number): ChannelConfig =>
    channel.collect ? { ...channel, collect: { ...channel.collect, settle_after_seconds: seconds } } : channel
  const slower = (from: string, id: string, seconds: number): ChannelConfig => {
    const channel = SHIPPED_CHANNELS.find((each) => each.id === from)
    if (!channel) throw new Error(`no channel ${from}`)
    return { ...settling(channel, seconds), id, connector: from }
  }
  return [
    ...SHIPPED_CHANNELS.map((channel) => ({ ...settling(channel, AT_ONCE), undo_seconds: 0 })),
    slower('gcash', 'gcash-second', 1),
    slower('gcash', 'gcash-day', A_DAY),
  ]
}

export async function openPayStage(config: Partial<Config> = {}): Promise<PayStage> {
  const world = await openWorld({ config: { channels: channelsOf(), ...config } })
  const address = await world.listen()
  const { key, secret } = await makeProvider(world, world.caller)
  const receiver = { url: `${address}/webhooks`, api_key: key, secret }
  for (const whose of [{}, { account_id: world.caller.account.accountId }])
    await control(world.sandboxUrl, 'POST', '/payment-receivers', { ...receiver, ...whose })
  const get: PayStage['get'] = async (id, caller = world.caller) =>
    contractIn(await caller.ask('GET', `/contracts/payment/${id}`))
  const until: PayStage['until'] = (id, isSo, caller) => looked(() => get(id, caller), isSo)
  const asPayer: PayStage['asPayer'] = (payment, method, path, body, headers = {}) =>
    wire(`${address}${path}`, method, body, { authorization: `Bearer ${tokenOf(payment)}`, ...headers })
  return {
    world,
    address,
    open: async (fields = {}, caller = world.caller) =>
      contractIn(await caller.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP', ...fields } })),
    asPayer,
    choose: async (payment, method) => {
      const { status, text, body } = await asPayer(payment, 'PUT', `/contracts/payment/${payment.id}/pay`, method)
      if (status !== 200) throw new Error(`the payer's choice was answered with ${status}: ${text}`)
      const seen = (body['data'] as { contract: PaymentBody }).contract
      // A payer sees less than the account; how far it was is in the answer.
      return { ...(await get(payment.id)), status: seen.status, next_action: seen.next_action }
    },
    get,
    until,
    ends: async (id, status) => {
      const payment = await until(id, (each) => each.status === status)
      // Whatever is looked at must still fit: what came in is in the wallet, in suspense, or went back.
      await settledWord(payment)
      return payment
    },
    refund: async (id, body = {}) =>
      contractIn(await world.caller.ask('POST', `/contracts/payment/${id}/refunds`, { body })),
    truth: (rail, { attempts }) =>
      Promise.all(
        attempts.map(({ reference }) => control(world.sandboxUrl, 'GET', `/${rail}/collections/${reference}`)),
      ) as Promise<Json[]>,
    advance: (seconds) => control(world.sandboxUrl, 'POST', '/clock', { advance_seconds: seconds }),
    close: async () => {
      await world.ledgerHolds()
      await world.stop()
    },
  }
}

/** A contract that is over offers nothing to pay any more. */
async function settledWord({ status, next_action: action }: PaymentBody): Promise<void> {
  if (status !== 'issued') expect(action).toBeNull()
}

export const tokenOf = ({ checkout_url: url }: Pick<PaymentBody, 'checkout_url'>) => url.slice(url.lastIndexOf('/') + 1)

/** One request over a socket. */
export async function wire(
  url: string,
  method: Method,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Wire> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const reply = await fetch(url, { method, headers: { ...type, ...headers }, ...sent })
  const text = await reply.text()
  return { status: reply.status, text, headers: reply.headers, body: JSON.parse(text) as Json }
}

type Answered = { readonly status: number; readonly text: string; readonly data: Readonly<Record<string, unknown>> }

export function contractIn({ status, text, data }: Answered): PaymentBody {
  if (status !== 200) throw new Error(`no contract but ${status}: ${text}`)
  return data['contract'] as PaymentBody
}

const WITHIN_MS = 12_000
const PAUSE_MS = 20

/** Looks again and again until it is so. */
export async function looked<T>(look: () => Promise<T>, isSo: (seen: T) => boolean): Promise<T> {
  const until = Date.now() + WITHIN_MS
  for (;;) {
    const seen = await look()
    if (isSo(seen)) return seen
    if (Date.now() > until) throw new Error(`it did not come to that: ${JSON.stringify(seen, null, 1).slice(0, 3000)}`)
    await sleep(PAUSE_MS)
  }
}

/** What a history says, in its words. */
export const told = ({ activities }: Pick<PaymentBody, 'activities'>) => activities.map(({ type }) => type)
