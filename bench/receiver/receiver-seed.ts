// Payment contracts by the ten thousand that wait for their money, copied in the database from one that went through the
// API and its rail; and the signed requests with which a provider reports that the money came.
import { createHmac } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import type pg from 'pg'
import { attemptReference } from '../../src/domain/contract/ids.ts'
import type { Owner, Seeded } from '../stage/seed.ts'

/** The contract that is copied: its one attempt waits for its payer. */
export type OriginalPayment = Owner & { readonly contractId: string }

/** The provider's key for the events of an account. */
export type EventSender = Owner & { readonly key: string; readonly secret: string }

const CHUNK = 50_000

// Like seed.ts, with what a payment contract has beside its history: its job, and its provider's id.
const COPIES = `
with original as (
  select c.*, i.provider_id, replace(c.id::text, '-', '') as hex
    from contracts c
    left join provider_payment_ids i on i.lane = c.lane and i.account_id = c.account_id and i.contract_id = c.id
   where c.lane = $4 and c.account_id = $5 and c.id = $6
), owners as (
  select a.lane, a.account_id, a.position
    from unnest($1::int[], $2::uuid[]) o (lane, account_id)
    join accounts a on a.lane = o.lane and a.account_id = o.account_id
     for update of a
), named as (
  select o.*, k, pg_temp.gateway_bench_id(o.lane, k) as id from generate_series(1, $3::int) k cross join owners o
), fresh as materialized (
  select n.*, replace(n.id::text, '-', '') as hex from named n
), heads as (
  insert into contracts (lane, account_id, id, kind, status, version, position, currency, amount_minor, held_minor,
                         channel_id, expires_at)
  select f.lane, f.account_id, f.id, c.kind, c.status, c.version, f.position + c.version * f.k, c.currency,
         c.amount_minor, c.held_minor, c.channel_id, c.expires_at
    from fresh f cross join original c
), written as (
  insert into contract_versions (lane, account_id, position, contract_id, version, sequence, event, at, document)
  select f.lane, f.account_id, f.position + c.version * (f.k - 1) + h.version, f.id, h.version, h.sequence, h.event, h.at,
         -- Their money comes into a wallet of their own.
         replace(replace(replace(replace(h.document::text, coalesce(c.provider_id, 'nothing'), 'bench_' || f.hex),
                                 c.id::text, f.id::text), c.hex, f.hex),
                 coalesce(h.document ->> 'wallet_id', 'no wallet is named'), w.id::text)::json
    from fresh f cross join original c
    join wallets w on w.lane = f.lane and w.account_id = f.account_id and w.currency = c.currency and w.is_default
    join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.contract_id = c.id
), looks as (
  insert into jobs (lane, account_id, contract_id, kind, livemode, channel_id, status, due_at, fence, tries)
  select f.lane, f.account_id, f.id, j.kind, j.livemode, j.channel_id, j.status, now() + interval '1 hour', j.fence, j.tries
    from fresh f cross join original c
    join jobs j on j.lane = c.lane and j.account_id = c.account_id and j.contract_id = c.id
), intents as (
  insert into provider_payment_ids (lane, account_id, provider_id, contract_id, attempt)
  select f.lane, f.account_id, 'bench_' || f.hex, f.id, 1
    from fresh f cross join original c where c.provider_id is not null
), advanced as (
  update accounts a set position = a.position + c.version * $3
    from owners o cross join original c where a.lane = o.lane and a.account_id = o.account_id
)
select id, account_id as "accountId" from fresh order by k`

// The same bits as domain/ids.ts: time, version 7, the lane, chance.
const ID_FUNCTION = `
create function pg_temp.gateway_bench_id(lane int, k bigint) returns uuid language sql volatile as $$
  select (lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' || substr(r, 1, 1)
          || lpad(to_hex(lane), 2, '0') || substr('89ab', 1 + (k % 4)::int, 1) || substr(r, 2, 15))::uuid
    from (select md5(random()::text || k::text) as r) as chance
$$`

/** Once for each connection, before anything is written with it. */
export async function prepareSeeding(client: pg.Client): Promise<void> {
  await client.query(ID_FUNCTION)
}

/** At least `count` payment contracts that wait for their payers, the same number for each owner, in turns. */
export async function seedPayments(
  client: pg.Client,
  { lane, accountId, contractId }: OriginalPayment,
  owners: readonly Owner[],
  count: number,
): Promise<Seeded[]> {
  const seeded: Seeded[] = []
  const lanes = owners.map((owner) => owner.lane)
  const accounts = owners.map((owner) => owner.accountId)
  while (seeded.length < count) {
    const each = Math.ceil(Math.min(CHUNK, count - seeded.length) / owners.length)
    const { rows } = await client.query<Seeded>(COPIES, [lanes, accounts, each, lane, accountId, contractId])
    for (const row of rows) seeded.push(row)
  }
  return seeded
}

/** A payment event: its type, and the members that are the same in all events of a list. */
export type EventFields = {
  readonly type: string
  readonly channel: string
  readonly amount: number
}

/** The event that a provider sends about a contract's payment, as the sandbox writes it. */
export function eventText(contractId: string, { type, channel, amount }: EventFields, timeSeconds: number): string {
  const reference = attemptReference(contractId, 1)
  const object = {
    id: `bench_${reference.slice(0, 32)}`,
    contract_id: contractId,
    currency: 'PHP',
    status: type.replace('payment_intent.', ''),
    channel,
    reference,
    ...(channel === 'qrph' ? { payer: PAYER } : {}),
    amount,
  }
  return JSON.stringify({ id: `evt_${reference}`, type, created_at: timeSeconds, data: { object } })
}

// The account that a rail without refunds gives for returning the money.
const PAYER = { channel: 'instapay', recipient: { name: 'Maria Santos', wallet: '000123456789', tag: 'BOPIPHMM' } }

/**
 * A file of whole requests, one after the other, all of one length; returns that length. They are signed now, and
 * valid for five minutes.
 */
export function writeRequests(
  path: string,
  senders: readonly EventSender[],
  contracts: readonly Seeded[],
  fields: EventFields,
): number {
  const byAccount = new Map(senders.map((sender) => [sender.accountId, sender]))
  const timeSeconds = Math.floor(Date.now() / 1000)
  let bytes = 0
  const file = openSync(path, 'w')
  try {
    for (const { id, accountId } of contracts) {
      const sender = byAccount.get(accountId)
      if (!sender) throw new Error(`no key sends the events of account ${accountId}`)
      const request = requestOf(sender, timeSeconds, eventText(id, fields, timeSeconds))
      if (bytes !== 0 && bytes !== request.length) throw new Error('requests of one list differ in length')
      bytes = request.length
      writeSync(file, request)
    }
  } finally {
    closeSync(file)
  }
  return bytes
}

function requestOf({ key, secret }: EventSender, time: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return (
    `POST /webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${key}\r\nService-Signature: t=${time},v1=${digest}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}
