// The addresses that payers are shown, one for each attempt, and how far each chain was read. An address is never given
// to two attempts and never taken back. Times come as milliseconds of the database's clock.
import { ms } from '../../platform/columns.ts'
import type {
  AddressToCount,
  BlockName,
  ChainAddress,
  ChainAsset,
  ChainStandingOfAddress,
} from '../../domain/payment/chain-payments.ts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'

/**
 * So many numbers of a key are passed over with each restore: those that were given out in the lost time are not known, and an
 * address that one payer was shown must never be another one's. There are 2^31 of them.
 */
const LOST_NUMBERS = 1 << 20

/** Passes over the numbers that may have been given out before a restore and are forgotten. */
export function passOverKeyIndexes(): Statement {
  return {
    name: 'pass_over_key_indexes',
    text: `update chain_keys k set next_index = k.next_index + ${LOST_NUMBERS}`,
    values: [],
  }
}

/** Takes the next number of a key; no other request gets it from then on, whether or not it comes to be an address. */
export function takeKeyIndex(fingerprint: string): Statement {
  return {
    name: 'take_key_index',
    text: `insert into chain_keys as k (fingerprint, next_index)
           select $1, 1 + (max(e.number) - 1) * ${LOST_NUMBERS}::bigint from epochs e
               on conflict (fingerprint) do update set next_index = k.next_index + 1
           returning k.next_index - 1 as key_index`,
    values: [fingerprint],
  }
}

/**
 * Gives an attempt its address; nothing happens where it has one, or where the asset is not followed: money that came
 * to such an address would not be seen. The coins of an address are counted from the block where the asset is followed.
 */
export function giveChainAddress(given: ChainAddress): Statement {
  const { reference, network, asset, address, fingerprint, keyIndex, expiresAt } = given
  return {
    name: 'give_chain_address',
    text: `insert into chain_addresses (reference, network, asset, address, fingerprint, key_index, expires_at, balance_block)
           select $1::text, c.network, c.asset, $4::text, $5::text, $6::bigint, to_timestamp($7::float8 / 1000),
                  case when c.asset = 'coin' then c.block end
             from chain_cursors c where c.network = $2 and c.asset = $3
               on conflict (reference) do nothing`,
    values: [reference, network, asset, address, fingerprint, keyIndex, expiresAt],
  }
}

const KNOWN = `a.balance_block::text as counted_block,
                  (select coalesce(sum(p.units), 0)::text from chain_payments p
                    where p.reference = a.reference and p.status in ('final', 'reported')) as known_units`

const countedBlockOf = (row: Row) => BigInt(row['counted_block'] as string)
const knownUnitsOf = (row: Row) => BigInt(row['known_units'] as string)

/**
 * The address of an attempt, if any, and whether a payment to it is on its way into the books. Reported payments are in
 * them.
 */
export function findChainAddress(reference: string): Statement {
  return {
    name: 'find_chain_address',
    text: `select a.reference, a.network, a.asset, a.address, a.fingerprint, a.key_index, ${ms('a.expires_at')} as expires_at,
                  ${KNOWN},
                  exists (select from chain_payments p
                           where p.reference = a.reference and p.status in ('seen', 'final')) as is_paid
             from chain_addresses a where a.reference = $1`,
    values: [reference],
  }
}

export function chainAddressFrom(row: Row): ChainStandingOfAddress {
  const address: ChainAddress = {
    reference: row['reference'] as string,
    network: row['network'] as string,
    asset: row['asset'] as ChainAsset['asset'],
    address: row['address'] as Hex,
    fingerprint: row['fingerprint'] as string,
    keyIndex: Number(row['key_index']),
    expiresAt: row['expires_at'] as number,
  }
  return {
    address,
    paid: row['is_paid'] === true ? 'seen' : 'none',
    knownUnits: knownUnitsOf(row),
    countedBlock: row['counted_block'] === null ? null : countedBlockOf(row),
  }
}

/** Which of the addresses are ours, and their attempts; however many are ours, only these are looked up. */
export function ownersOfAddresses({ network, asset }: ChainAsset, addresses: readonly Hex[]): Statement {
  return {
    name: 'owners_of_addresses',
    text: `select a.address, a.reference from unnest($3::text[]) asked (address)
             join chain_addresses a on a.network = $1 and a.address = asked.address and a.asset = $2`,
    values: [network, asset, plainArray(addresses)],
  }
}

/** Whether an address of a chain is the gateway's own: one that a payer was shown, for whatever asset, or one that it pays from or did. */
export function findOwnAddress(network: string, address: string): Statement {
  return {
    name: 'find_own_address',
    text: `select exists (select from chain_addresses a where a.network = $1 and a.address = lower($2::text))
               or exists (select from chain_modes m where m.name = 'sender ' || lower($2::text)) as is_own`,
    values: [network, address],
  }
}

/** The last block that is read for good; no row before the asset is followed. */
export function readChainCursor({ network, asset }: ChainAsset): Statement {
  return {
    name: 'read_chain_cursor',
    text: `select c.block, c.block_hash from chain_cursors c where c.network = $1 and c.asset = $2`,
    values: [network, asset],
  }
}

export function chainCursorFrom(row: Row): BlockName {
  return { number: BigInt(row['block'] as string), hash: row['block_hash'] as Hex }
}

/** Follows an asset from a block on; what is followed already is left as it is. */
export function beginChainCursor({ network, asset }: ChainAsset, { number, hash }: BlockName): Statement {
  return {
    name: 'begin_chain_cursor',
    text: `insert into chain_cursors (network, asset, block, block_hash) values ($1, $2, $3, $4)
               on conflict (network, asset) do nothing`,
    values: [network, asset, number, hash],
  }
}

// More than can come to their 90 days from one block to the next.
const RETIRED_MAX = 200

// What came at the end of the payer's time is final soon after, and has to be counted while the node still knows what was held then.
const LIVING_AFTER = `interval '1 hour'`

/**
 * Addresses whose coins are to be counted at the block: of those whose payer's time runs or has just ended, and of all others of the last
 * 90 days, each time the ones that were counted longest ago. Older ones are counted no more: left among the others, they
 * would be passed over at each block, and more of them each day.
 */
export function addressesToCount(network: string, block: bigint, livingMax: number, othersMax: number): Statement {
  const those = (isLiving: string, limit: string) => `(
      select a.reference, a.address, ${ms('a.expires_at')} as expires_at, ${KNOWN} from chain_addresses a
       where a.network = $1 and a.balance_block < $2 and ${isLiving}
       order by a.balance_block limit ${limit})`
  return {
    name: 'addresses_to_count',
    text: `with retired as (
             update chain_addresses a set balance_block = null
              where a.expires_at <= now() - interval '90 days' and a.reference in (
                    select o.reference from chain_addresses o
                     where o.network = $1 and o.balance_block < $2 order by o.balance_block limit ${RETIRED_MAX})
           )
           ${those(`a.expires_at > now() - ${LIVING_AFTER}`, '$3')} union all
           ${those(`a.expires_at <= now() - ${LIVING_AFTER} and a.expires_at > now() - interval '90 days'`, '$4')}`,
    values: [network, block, livingMax, othersMax],
  }
}

export function addressToCountFrom(row: Row): AddressToCount {
  return {
    reference: row['reference'] as string,
    address: row['address'] as Hex,
    expiresAt: row['expires_at'] as number,
    countedBlock: countedBlockOf(row),
    knownUnits: knownUnitsOf(row),
  }
}
