// What one account has in the tables, in memory and in PostgreSQL, as the same plain rows.
import type pg from 'pg'
import { transferText } from '../../../src/store/contracts/transfer-documents.ts'
import { paymentText } from '../../../src/store/contracts/payment-documents.ts'
import { slotOf } from '../../../src/store/jobs/channel-calls.ts'
import type { Job } from '../../../src/store/jobs/jobs.ts'
import type { PaymentEvent } from '../../../src/store/payments/payment-events.ts'
import type { Tables } from './tables.ts'

/** The values of a row in the order of the columns; times in milliseconds, whole numbers as text. */
type Plain = readonly (string | null)[]
type Table = {
  readonly name: string
  readonly sql: string
  readonly rows: (tables: Tables, accountId: string) => Plain[]
}

const text = (value: bigint | number | string | boolean | null): string | null =>
  value === null ? null : String(value)
const plain = (...values: readonly (bigint | number | string | boolean | null)[]): Plain => values.map(text)
const ms = (name: string) => `round(extract(epoch from ${name}) * 1000)`
const jsonOf = (value: unknown): string | null =>
  value === null ? null : JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))

const ofAccount = <T>(map: ReadonlyMap<string, T>, accountId: string): T[] =>
  [...map].flatMap(([key, value]) => (key.startsWith(`${accountId}/`) ? [value] : []))

const TABLES: readonly Table[] = [
  {
    name: 'contract_versions',
    sql: `position, contract_id, version, sequence, event, ${ms('at')}, document from contract_versions`,
    rows: (tables, accountId) =>
      ofAccount(tables.versions, accountId).map(({ contract, event, position }) => {
        const document = contract.kind === 'payment' ? paymentText(contract) : transferText(contract)
        const { id, version, sequence, updatedAt } = contract
        return plain(position, id, version, event ? sequence : null, event, updatedAt, document)
      }),
  },
  {
    name: 'contracts',
    sql: `id, kind, status, version, position, currency, amount_minor, held_minor, parent_id from contracts`,
    rows: (tables, accountId) =>
      ofAccount(tables.heads, accountId).flatMap(({ position, parentId }) => {
        const contract = tables.versions.get(`${accountId}/${position}`)?.contract
        if (!contract) return []
        const { id, kind, status, version, terms, heldMinor } = contract
        return [plain(id, kind, status, version, position, terms.currency, terms.amountMinor, heldMinor, parentId)]
      }),
  },
  {
    name: 'wallets',
    sql: `id, available_minor, held_minor, in_transit_minor, pending_minor, suspense_minor, sequence from wallets`,
    rows: (tables, accountId) =>
      ofAccount(tables.wallets, accountId).map((wallet) => {
        const { id, availableMinor, heldMinor, inTransitMinor, pendingMinor, suspenseMinor, sequence } = wallet
        return plain(id, availableMinor, heldMinor, inTransitMinor, pendingMinor, suspenseMinor, sequence)
      }),
  },
  {
    name: 'ledger',
    sql: `wallet_id, sequence, position, contract_id, debit, credit, amount_minor, available_after_minor, held_after_minor,
          in_transit_after_minor, pending_after_minor, suspense_after_minor, reference, outside, ${ms('at')} from ledger`,
    rows: (tables, accountId) =>
      ofAccount(tables.ledger, accountId).map((row) => {
        const moved = [row.walletId, row.sequence, row.position, row.contractId, row.debit, row.credit, row.amountMinor]
        const after = [row.availableAfterMinor, row.heldAfterMinor, row.inTransitAfterMinor]
        return plain(
          ...moved,
          ...after,
          row.pendingAfterMinor,
          row.suspenseAfterMinor,
          row.reference,
          row.outside,
          row.at,
        )
      }),
  },
  {
    name: 'jobs',
    sql: `contract_id, kind, channel_id, status, fence, tries, ${ms('due_at')}, number, reference, ${ms('submitted_at')},
          ${ms('absent_since')} from jobs`,
    rows: (tables, accountId) => ofAccount(tables.jobs, accountId).map(jobRow),
  },
  {
    name: 'payment_events',
    sql: `id, type, ${ms('at')}, body, body_hash, status, contract_id, object_id, attempt, channel_id, wallet_id, currency,
          amount_minor, suspense_minor, reason, ${ms('due_at')}, tries from payment_events`,
    rows: (tables, accountId) => ofAccount(tables.events, accountId).map(eventRow),
  },
  {
    name: 'idempotency_keys',
    sql: `key_hash, fingerprint, position, refusal, ${ms('created_at')} from idempotency_keys`,
    rows: (tables, accountId) =>
      [...tables.answers].flatMap(([key, { fingerprint, position, refusal, at }]) =>
        key.startsWith(`${accountId}/`)
          ? [plain(key.slice(key.indexOf('/') + 1), fingerprint, position, jsonOf(refusal), at)]
          : [],
      ),
  },
  {
    name: 'transfer_reviews',
    sql: `contract_id, ${ms('since')} from transfer_reviews`,
    rows: (tables, accountId) =>
      ofAccount(tables.reviews, accountId).map(({ contractId, atMs }) => plain(contractId, atMs)),
  },
  {
    name: 'provider_payment_ids',
    sql: 'provider_id, contract_id, attempt from provider_payment_ids',
    rows: (tables, accountId) =>
      ofAccount(tables.providerIds, accountId).map((each) => plain(each.providerId, each.contractId, each.attempt)),
  },
  {
    name: 'channel_calls',
    sql: 'contract_id, attempt, slot, fence, outcome from channel_calls',
    rows: (tables, accountId) =>
      ofAccount(tables.calls, accountId).map((each) =>
        plain(each.contractId, each.attempt, slotOf(each), each.fence, each.outcome),
      ),
  },
  {
    name: 'usage_contracts',
    sql: `currency, day, transfers_created, transfers_completed, transfers_failed, payments_created, payments_paid, out_minor,
          in_minor from usage_contracts`,
    rows: (tables, accountId) =>
      ofAccount(tables.usage, accountId).map((row) => {
        const day = new Date(row.atMs).toISOString().slice(0, 10)
        const counts = [row.transfersCreated, row.transfersCompleted, row.transfersFailed, row.paymentsCreated]
        return plain(row.currency, day, ...counts, row.paymentsPaid, row.outMinor, row.inMinor)
      }),
  },
]

function jobRow(job: Job): Plain {
  const payout = job.kind === 'payout' ? job : null
  const { contractId, kind, channelId, status, fence, tries, dueAt } = job
  const sent = [
    payout?.number ?? null,
    payout?.reference ?? null,
    payout?.submittedAt ?? null,
    payout?.absentSince ?? null,
  ]
  return plain(contractId, kind, channelId, status, fence, tries, dueAt, ...sent)
}

function eventRow(event: PaymentEvent): Plain {
  const { receipt } = event
  const came = [event.id, event.type, event.at, event.body, event.bodyHash, event.status, event.contractId]
  const booked = receipt
    ? [
        receipt.objectId,
        receipt.attempt,
        receipt.channelId,
        receipt.walletId,
        receipt.currency,
        receipt.amountMinor,
        receipt.suspenseMinor,
      ]
    : [null, null, null, null, null, null, null]
  return plain(...came, ...booked, receipt?.reason ?? event.reason, event.dueAt, event.tries)
}

const sorted = (rows: readonly Plain[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()

/** The rows of an account by table, in memory. */
export const rowsInMemory = (tables: Tables, accountId: string): Record<string, string[]> =>
  Object.fromEntries(TABLES.map(({ name, rows }) => [name, sorted(rows(tables, accountId))]))

/** The same in PostgreSQL. */
export async function rowsInPostgres(owner: pg.Client, accountId: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name, sql } of TABLES) {
    const end = sql.lastIndexOf(' from ')
    const text = `select array[${castAll(sql.slice(0, end))}] as row ${sql.slice(end)} where account_id = $1`
    const { rows } = await owner.query<{ row: Plain }>(text, [accountId])
    found[name] = sorted(rows.map(({ row }) => row))
  }
  return found
}

/** Each column as text. Commas within brackets part nothing. */
const castAll = (columns: string) =>
  columns
    .split(/,(?![^(]*\))/)
    .map((each) => `(${each.trim()})::text`)
    .join(', ')
