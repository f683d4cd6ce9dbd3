// Money from outside into wallets, which the gateway's own database login may not write: opened by operators and by the
// first start of a trial alone.
import type { WalletResult } from '../../engine/command-request.ts'
import { type Credit, creditWallet } from '../../app/accounts/credits.ts'
import { executeAlone } from '../../engine/execute.ts'
import type { ChannelBook } from '../../domain/channel/channel.ts'
import type { Refusal } from '../../domain/contract/refusals.ts'
import { asOperatorOf, openKeyedSession } from '../database/database.ts'
import type { Database } from '../database/opened.ts'

export type Funds = {
  /** Once for each reference; null where no wallet has the id. */
  readonly credit: (credit: Credit) => Promise<WalletResult | Refusal | null>
  readonly close: () => Promise<void>
}

/** Opens a connection of the operators' login; null where that is not known. */
export async function openFunds(database: Database): Promise<Funds | null> {
  return database.operator === null ? null : fundsBy(await asOperatorOf(database))
}

/** The same by who has that login. */
export function fundsBy(operators: Database): Funds {
  const session = openKeyedSession(operators)
  return {
    credit: (credit) =>
      creditWallet({ reader: session, execute: (ask) => executeAlone(session, NO_CHANNELS, ask) }, credit),
    close: session.close,
  }
}

/** A credit has no price; the book belongs to the gateway's own configuration. */
export const NO_CHANNELS: ChannelBook = { current: () => undefined, at: () => undefined, all: () => [] }
