// What tests of the receiver share: keys of providers, events in their words, and what of them is in the books.
import { expect } from 'vitest'
import { createReceiverKey } from '../../../src/app/accounts/receiver-secrets.ts'
import type { NewKey } from '../../../src/app/accounts/accounts.ts'
import { genuine, type Headers, nowSeconds, type Receiver } from '../../webhooks/receiver-corpus.ts'
import type { Caller, World } from '../../world.ts'

export type Provider = Receiver & { readonly keyId: string }

/** A key with which a provider tells events of the account, and its secret. */
export async function makeProvider(
  { gateway: { deps } }: World,
  { account }: Caller,
  wanted: Partial<NewKey> & { readonly channels?: readonly string[] } = {},
): Promise<Provider> {
  const key = {
    name: 'Provider',
    livemode: false,
    scopes: ['events:write'] as const,
    expiresInSeconds: null,
    ...wanted,
  }
  const made = await createReceiverKey(deps.reader, deps.webhooks.sealing, account, key, Date.now())
  return { key: made.text, secret: made.secret, keyId: made.keyId }
}

export type Told = Readonly<Record<string, unknown>>

let count = 0
/** An id that no other event or payment of this run has. */
export const newId = (prefix: string) => `${prefix}_${++count}`

/** An event about 100.50 PHP that were paid, with these fields of its object in place of its own. */
export function eventOf(object: Told, envelope: Told = {}): Record<string, unknown> {
  return {
    id: newId('evt'),
    type: 'payment_intent.succeeded',
    created_at: nowSeconds(),
    data: {
      object: { id: newId('pi'), amount: 100.5, currency: 'PHP', status: 'succeeded', channel: 'gcash', ...object },
    },
    ...envelope,
  }
}

export type Said = { readonly status: number; readonly text: string; readonly code: string | null }

/** One request to the receiver, as it is. */
export async function post({ gateway }: Pick<World, 'gateway'>, headers: Headers, body: Buffer): Promise<Said> {
  const reply = await gateway.app.inject({ method: 'POST', url: '/webhooks', headers: { ...headers }, payload: body })
  const { error } = JSON.parse(reply.payload) as { error?: { code: string } }
  return { status: reply.statusCode, text: reply.payload, code: error?.code ?? null }
}

/** Tells an event with a genuine signature. */
export function tell(world: World, provider: Receiver, event: Told): Promise<Said> {
  const body = Buffer.from(JSON.stringify(event))
  return post(world, genuine(provider, body), body)
}

export const CONFIRMED: Said = { status: 200, text: '{}', code: null }

export type PaymentBody = {
  readonly settles_at: string | null
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly amount_received: number
  readonly activities: readonly { readonly type: string }[]
}

/** A payment contract over 100.50 PHP, open to any way to pay. */
export async function openPayment(caller: Caller, fields: Told = {}): Promise<PaymentBody> {
  const reply = await caller.ask('POST', '/contracts/payment', { body: { amount: 100.5, currency: 'PHP', ...fields } })
  if (reply.status !== 200) throw new Error(`no payment contract but ${reply.status}: ${reply.text}`)
  return reply.data['contract'] as PaymentBody
}

export async function getPayment(caller: Caller, id: string): Promise<PaymentBody> {
  return (await caller.ask('GET', `/contracts/payment/${id}`)).data['contract'] as PaymentBody
}

export type EventRow = {
  readonly id: string
  readonly status: string
  readonly contract_id: string | null
  readonly reason: string | null
  readonly amount_minor: string | null
  readonly body: string | null
  readonly due: boolean
  readonly tries: number
}

/** The account's event, or undefined. */
export async function eventRow(world: World, { account }: Caller, id: string): Promise<EventRow | undefined> {
  const [row] = await world.sql<EventRow>(
    `select id, status, contract_id, reason, amount_minor, body, due_at is not null as due, tries
       from payment_events where account_id = $1 and id = $2`,
    [account.accountId, id],
  )
  return row
}

/** How many events are in the books. */
export async function eventCount(world: World): Promise<number> {
  const [row] = await world.sql<{ count: string }>('select count(*) from payment_events')
  return Number(row?.count)
}

/** A refund that its rail knows no payment for waits for a minute, which is over now: the rail's list may have lagged behind. */
export async function knowsNoneForGood(world: World, transferId: string): Promise<void> {
  const waits = () =>
    world.sql(`select from jobs where contract_id = $1 and status = 'queued' and due_at > now()`, [transferId])
  await expect.poll(async () => (await waits()).length).toBe(1)
  await world.sql(
    `update contract_versions set document = jsonb_set(document::jsonb, '{created_at}', ((document->>'created_at')::bigint - 60000)::text::jsonb)::json
      where contract_id = $1`,
    [transferId],
  )
  await world.sql('update jobs set due_at = now() where contract_id = $1', [transferId])
}
