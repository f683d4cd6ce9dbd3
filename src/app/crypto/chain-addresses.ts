// The book of what comes in on chains over the database: each of its answers is one statement, committed when it resolves.
import type { ReceivingBook } from '../../connectors/crypto/receiving-book.ts'
import type { ChainAsset, FinalChainPayment } from '../../domain/payment/chain-payments.ts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import type { Row, Session, Statement } from '../../platform/db.ts'
import {
  addressesToCount,
  addressToCountFrom,
  beginChainCursor,
  chainAddressFrom,
  chainCursorFrom,
  findChainAddress,
  giveChainAddress,
  ownersOfAddresses,
  readChainCursor,
  takeKeyIndex,
} from '../../store/crypto/chain-addresses.ts'
import {
  chainPaymentFrom,
  finalChainPayments,
  markChainPaymentReported,
  putOffChainPayment,
  recordChainView,
  recordCoinCount,
} from '../../store/crypto/chain-payments.ts'

// A count is two calls of the node for each address, so there are few at a time, mostly of those with a payer waiting.
const COUNTED_LIVING_MAX = 12
const COUNTED_OTHERS_MAX = 4

/** The book behind a session; a database that does not answer throws. */
export function openReceivingBook(session: Session): ReceivingBook {
  const rows = async (statement: Statement): Promise<readonly Row[]> => (await session.send([statement]))[0]?.rows ?? []
  const one = async (statement: Statement): Promise<Row> => {
    const [row] = await rows(statement)
    if (!row) throw new Error(`${statement.name} gave no row`)
    return row
  }
  return {
    find: async (reference) => {
      const [row] = await rows(findChainAddress(reference))
      return row ? chainAddressFrom(row) : null
    },
    takeIndex: async (fingerprint) => Number((await one(takeKeyIndex(fingerprint)))['key_index']),
    give: async (address) => {
      await rows(giveChainAddress(address))
    },
    owners: async (asset, addresses) => {
      const owned = addresses.length === 0 ? [] : await rows(ownersOfAddresses(asset, addresses))
      return new Map(owned.map((row) => [row['address'] as Hex, row['reference'] as string]))
    },
    cursor: async (asset) => {
      const [row] = await rows(readChainCursor(asset))
      return row ? chainCursorFrom(row) : null
    },
    begin: async (asset, block) => {
      await rows(beginChainCursor(asset, block))
    },
    record: async (view) => {
      const row = await one(recordChainView(view))
      return row['moved'] === 1 ? { dropped: row['dropped'] as string[] } : null
    },
    toCount: async (network, block) => {
      const found = await rows(addressesToCount(network, block, COUNTED_LIVING_MAX, COUNTED_OTHERS_MAX))
      return found.map(addressToCountFrom)
    },
    counted: async (count) => {
      await rows(recordCoinCount(count))
    },
  }
}

/** Payments that are final and not booked yet, some of them. */
export async function unreportedPayments(
  session: Session,
  asset: ChainAsset,
  limit: number,
): Promise<readonly FinalChainPayment[]> {
  const [result] = await session.send([finalChainPayments(asset, limit)])
  return (result?.rows ?? []).map(chainPaymentFrom)
}

/** To be called once the payment is booked, and only then. */
export async function paymentIsReported(session: Session, id: string): Promise<void> {
  await session.send([markChainPaymentReported(id)])
}

/** The payment could not be booked now. */
export async function paymentIsPutOff(session: Session, id: string): Promise<void> {
  await session.send([putOffChainPayment(id)])
}
