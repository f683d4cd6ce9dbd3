// Contracts by the hundred thousand for searching: copies of one that went through the API, each with another name, account,
// reference and amount, in the rows that the gateway writes, and with the terms that its own indexing makes of them.
import type pg from 'pg'
import { laneUuid } from '../../../src/domain/contract/ids.ts'
import { contractFacts, termsOf } from '../../../src/domain/resource/terms.ts'
import { contractFrom } from '../../../src/store/contracts/contracts.ts'
import { insertTerms, saveSearchProgress } from '../../../src/store/resources/terms.ts'
import { drawn } from './persons.ts'

export type Template = { readonly lane: number; readonly accountId: string; readonly contractId: string }

const AT_ONCE = 5000

type Document = Record<string, unknown> & { recipient: object; deliverable: object }

/** Writes so many contracts beside the one that is copied. */
export async function fillContracts(client: pg.Client, template: Template, count: number): Promise<void> {
  const { lane, accountId, contractId } = template
  const { rows } = await client.query<{ document: Document; position: number }>(
    `select v.document, a.position::int from contract_versions v
       join accounts a on a.lane = v.lane and a.account_id = v.account_id
      where v.lane = $1 and v.account_id = $2 and v.contract_id = $3 and v.version = 1`,
    [lane, accountId, contractId],
  )
  const [copied] = rows
  if (!copied) throw new Error(`there is no contract ${contractId} to copy`)
  // A millisecond each, up to now: ids rise with time.
  const firstMs = Date.now() - count
  for (let from = 0; from < count; from += AT_ONCE) {
    const made = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => {
      const { recipient, reference, amountMinor, order } = drawn(from + i)
      const document = {
        ...copied.document,
        amount_minor: amountMinor,
        recipient: { ...copied.document.recipient, ...recipient },
        deliverable: { ...copied.document.deliverable, reference_id: reference, referenceId: reference },
        metadata: { order },
      }
      return {
        id: laneUuid(lane, firstMs + from + i, chanceOf(from + i)),
        document,
        position: copied.position + 1 + from + i,
      }
    })
    await writeContracts(client, template, made)
  }
  const { text, values } = saveSearchProgress(template, copied.position + count)
  await client.query(text, [...values])
  await client.query('vacuum (analyze) contracts, contract_versions, search_terms, accounts, search_progress')
}

type Made = { readonly id: string; readonly document: object; readonly position: number }

async function writeContracts(client: pg.Client, { lane, accountId, contractId }: Template, made: readonly Made[]) {
  const values = [lane, accountId, contractId, JSON.stringify(made)]
  await client.query(
    `with made as (
       select id, position, document from json_to_recordset($4::json) m (id uuid, position bigint, document json)
     ), heads as (
       insert into contracts (lane, account_id, id, kind, status, version, position, currency, amount_minor, held_minor,
                              channel_id, reference_id, expires_at)
       select c.lane, c.account_id, m.id, c.kind, c.status, 1, m.position, c.currency, (m.document ->> 'amount_minor')::bigint,
              c.held_minor, c.channel_id, m.document -> 'deliverable' ->> 'referenceId', c.expires_at
         from made m cross join contracts c where c.lane = $1 and c.account_id = $2 and c.id = $3
     ), versions as (
       insert into contract_versions (lane, account_id, position, contract_id, version, sequence, event, at, document)
       select $1, $2, m.position, m.id, 1, 1, 'contract.created', now(), m.document from made m
     )
     update accounts a set position = a.position + (select count(*) from made) where a.lane = $1 and a.account_id = $2`,
    values,
  )
  const key = { lane, accountId }
  const terms = made.flatMap(({ id, document }) =>
    termsOf(contractFacts(contractFrom({ ...key, id }, document))).map((term) => ({
      term,
      objectId: id,
      kind: 'contract' as const,
    })),
  )
  const insert = insertTerms(key, terms)
  await client.query(insert.text, [...insert.values])
}

/** Twenty hexadecimal digits, other ones for each number. */
const chanceOf = (n: number) =>
  ((BigInt(n) * 0x9e3779b97f4a7c15n) & 0xffff_ffff_ffff_ffffn).toString(16).padStart(20, '5')
