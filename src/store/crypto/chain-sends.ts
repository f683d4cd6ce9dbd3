// The book of what was signed for chains: one row for each reference, one reference for each nonce. Rows are never
// deleted, and an ended one never changes. Times come as milliseconds of the database's clock.
import { ms } from '../../platform/columns.ts'
import type {
  ChainProgress,
  ChainSend,
  ChainStanding,
  FoundChainSend,
  Hex,
  NewChainSend,
  UnfinishedSends,
} from '../../domain/transfer/chain-sends.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'

const COLUMNS = `s.reference, s.network, s.sender, s.nonce, s.recipient, s.token, s.amount::text as amount,
  s.gas_max::text as gas_max, s.raws, s.hashes, s.status, s.mined_block, s.mined_hash, ${ms('s.signed_at')} as signed_at`

/** The row of a reference, if any, beside the time. */
export function findChainSend(reference: string): Statement {
  return {
    name: 'find_chain_send',
    text: `select ${ms('now()')} as read_at, ${COLUMNS}
             from (values (true)) one left join chain_sends s on s.reference = $1`,
    values: [reference],
  }
}

/** The row that holds a nonce, if any, beside the time. */
export function chainSendHolding(network: string, sender: Hex, nonce: number): Statement {
  return {
    name: 'chain_send_holding',
    text: `select ${ms('now()')} as read_at, ${COLUMNS}
             from (values (true)) one
             left join chain_sends s on s.network = $1 and s.sender = $2 and s.nonce = $3`,
    values: [network, sender, nonce],
  }
}

export function foundChainSendFrom(row: Row): FoundChainSend {
  return { send: row['reference'] === null ? null : chainSendFrom(row), readAt: row['read_at'] as number }
}

function chainSendFrom(row: Row): ChainSend {
  return {
    reference: row['reference'] as string,
    network: row['network'] as string,
    sender: row['sender'] as Hex,
    nonce: row['nonce'] === null ? null : Number(row['nonce']),
    recipient: row['recipient'] as Hex,
    token: row['token'] as Hex | null,
    amount: BigInt(row['amount'] as string),
    gasMax: BigInt(row['gas_max'] as string),
    raws: row['raws'] as Hex[],
    hashes: row['hashes'] as Hex[],
    status: row['status'] as ChainSend['status'],
    minedBlock: row['mined_block'] === null ? null : BigInt(row['mined_block'] as string),
    minedHash: row['mined_hash'] as Hex | null,
    signedAt: row['signed_at'] as number,
  }
}

/** Where a sender stands: its next nonce, and what its rows from `fromNonce` on may still take out of its balances. */
export function chainStanding(network: string, sender: Hex, fromNonce: number, token: Hex | null): Statement {
  return {
    name: 'chain_standing',
    text: `select (select max(s.nonce) + 1 from chain_sends s where s.network = $1 and s.sender = $2) as next_nonce,
                  coalesce(sum(p.gas_max + case when p.token is null then p.amount else 0 end), 0)::text as promised_wei,
                  coalesce(sum(p.amount) filter (where lower(p.token) = lower($4)), 0)::text as promised_units
             from chain_sends p
            where p.network = $1 and p.sender = $2 and p.nonce >= $3`,
    values: [network, sender, fromNonce, token],
  }
}

export function chainStandingFrom(row: Row): ChainStanding {
  return {
    nextNonce: row['next_nonce'] === null ? null : Number(row['next_nonce']),
    promisedWei: BigInt(row['promised_wei'] as string),
    promisedUnits: BigInt(row['promised_units'] as string),
  }
}

/** Up to where a sender's rows go, and since when the oldest is open. */
export function unfinishedSends(network: string, sender: Hex): Statement {
  return {
    name: 'unfinished_chain_sends',
    text: `select max(s.nonce) + 1 as next_nonce, ${ms("min(s.created_at) filter (where s.status = 'open')")} as open_since,
                  ${ms('now()')} as read_at
             from chain_sends s where s.network = $1 and s.sender = $2`,
    values: [network, sender],
  }
}

export function unfinishedSendsFrom(row: Row): UnfinishedSends {
  const nextNonce = row['next_nonce'] === null ? null : Number(row['next_nonce'])
  return { nextNonce, openSince: row['open_since'] as number | null, readAt: row['read_at'] as number }
}

/**
 * Writes a row; no row comes back where its reference or nonce is taken or the time is over. A claim of the same nonce
 * at the same moment waits in the unique index until this one is committed or gone, so that no nonce is skipped.
 */
export function claimChainSend(send: NewChainSend, notAfter: number): Statement {
  return {
    name: 'claim_chain_send',
    text: `insert into chain_sends (reference, network, sender, nonce, recipient, token, amount, gas_max, raws, hashes, status)
           select $1::text, $2::text, $3::text, $4::bigint, $5::text, $6::text, $7::numeric, $8::numeric, $9::text[],
                  $10::text[], $11::text
            where now() < to_timestamp($12::float8 / 1000)
               on conflict do nothing
           returning reference`,
    values: [
      send.reference,
      send.network,
      send.sender,
      send.nonce,
      send.recipient,
      send.token,
      send.amount,
      send.gasMax,
      plainArray(send.raws),
      plainArray(send.hashes),
      send.status,
      notAfter,
    ],
  }
}

/** Adds a transaction to an open row whose newest one is still `replaced`; else no row comes back. */
export function addChainReplacement(reference: string, replaced: Hex, raw: Hex, hash: Hex, gasMax: bigint): Statement {
  return {
    name: 'add_chain_replacement',
    text: `update chain_sends s
              set raws = s.raws || $3::text, hashes = s.hashes || $4::text, gas_max = $5, signed_at = now(), updated_at = now()
            where s.reference = $1 and s.status = 'open' and s.hashes[cardinality(s.hashes)] = $2
        returning s.reference`,
    values: [reference, replaced, raw, hash, gasMax],
  }
}

/** Where an open row stands on the chain. An ended one stays as it is. */
export function recordChainProgress(reference: string, progress: ChainProgress): Statement {
  return {
    name: 'record_chain_progress',
    text: `update chain_sends s set status = $2, mined_block = $3, mined_hash = $4, updated_at = now()
            where s.reference = $1 and s.status = 'open'`,
    values: [reference, progress.status, progress.minedBlock, progress.minedHash],
  }
}
