// What an operator does on the database itself, beside a running gateway or without one: accounts, keys, top-ups, proofs.
// No HTTP and no workers.
import { randomBytes } from 'node:crypto'
import { createAccount, type IdSource, type NewAccount } from '../../app/accounts/accounts.ts'
import { type Credit, creditWallet } from '../../app/accounts/credits.ts'
import { executeAlone } from '../../engine/execute.ts'
import { nameAccountOwner } from '../../app/operator/operator-actions.ts'
import { alsoWriting, operatorEntry } from '../../app/operator/operator-changes.ts'
import type { Audited } from '../../domain/account/audit.ts'
import type { Execute, WalletResult } from '../../engine/command-request.ts'
import { type Verdict, type Verifying, verifyBooksBy } from '../../app/operator/verify.ts'
import { maskCards } from '../../domain/text/cards.ts'
import { laneOf, laneUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { displayText, majorNumber } from '../../domain/money/money.ts'
import { findCredit } from '../../ledger/outside-credits.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import { findWalletOwner, loadWallets, walletFrom } from '../../ledger/wallets.ts'
import type { Row, Session, Statement } from '../../platform/db.ts'
import { scopeOf } from '../../platform/scope.ts'
import { type AccountOwner, listAccounts } from '../../store/accounts/admin.ts'
import type { Config } from '../config/config.ts'
import {
  asOperatorOf,
  hasDatabase,
  openAuditSession,
  openDatabase,
  openKeyedSession,
  openPlannedSession,
} from '../database/database.ts'
import type { Database } from '../database/opened.ts'
import { pendingMigrations, SchemaBehind } from '../database/prepare.ts'
import { engineAt, lanePlacesAt } from '../database/engine.ts'
import { faultOfOne, seePlacement, serversOfDatabase } from '../database/servers.ts'
import { sealKeysHere } from '../database/sealing-keys.ts'
import { NO_CHANNELS } from './funding.ts'
import { openOperatorActions, type OperatorActions } from './operator-actions.ts'
import { openOperatorMembers, type OperatorMembers } from './operator-members.ts'
import { openOperatorKeys, type OperatorKeys } from './operator-keys.ts'
import { openOperatorSeals, type OperatorSeals } from './operator-seals.ts'
import { openOperatorLanes, type OperatorLanes } from './operator-lanes.ts'
import { openOperatorLists, type OperatorLists } from './operator-lists.ts'
import { userOfSystem } from './system-user.ts'

export type Account = {
  readonly lane: number
  readonly accountId: string
  readonly profileId: string
  readonly name: string
  readonly livemode: boolean
  /** Whom to contact; null where none was named. */
  readonly owner: AccountOwner | null
  readonly createdAt: Date
}

export type Operator = OperatorActions &
  OperatorMembers &
  OperatorLists &
  OperatorLanes &
  OperatorKeys &
  OperatorSeals & {
    readonly accounts: () => Promise<Account[]>
    readonly createAccount: (wanted: Parameters<typeof createAccount>[2]) => Promise<NewAccount>
    /** Sets whom to contact about an account, with a record of the operator who did. */
    readonly nameOwner: (account: Account, owner: AccountOwner, operator: string) => Promise<void>
    /** The account's wallets; none for an account that does not exist. */
    readonly wallets: (accountId: string) => Promise<Wallet[]>
    /** The wallet with the id, of any account. */
    readonly wallet: (walletId: string) => Promise<Wallet | null>
    /**
     * Money from outside, once for each reference; null where no wallet has the id. For a live wallet from a clearing account,
     * with who stands for it; for a test wallet from nowhere.
     */
    readonly fund: (funding: Funding) => Promise<WalletResult | Refusal | null>
    /** `parallel`: so many lanes side by side; without it, two for each node that has lanes. */
    readonly verify: (
      asked: Omit<Verifying, 'sealKeys' | 'seePlaces'> & { readonly parallel: number | null },
    ) => Promise<Verdict>
    /** Where the servers are several, which of them a fault is of. */
    readonly faultOfOne: (fault: unknown) => Promise<unknown>
    readonly close: () => Promise<void>
  }

/** Money that an operator puts into a wallet. */
export type Funding = Pick<Credit, 'walletId' | 'amountMinor' | 'currency' | 'reference'> & {
  readonly backing: Backing | null
}
/** Where the money is, who confirms it, who else does, and the proof. */
export type Backing = {
  readonly from: string
  readonly operator: string
  readonly approvedBy: string
  readonly evidence: string
}

function creditOf({ backing, ...credit }: Funding, id: string): Credit {
  if (backing === null) return { ...credit, source: 'external' }
  const { from, operator, approvedBy, evidence } = backing
  return {
    ...credit,
    source: `clearing:${from}`,
    approval: { id, operator, approvedBy, evidence: maskCards(evidence) },
  }
}

function fundedEntry({ walletId, amountMinor, currency, reference, source }: Credit): Audited {
  const after = { amount: majorNumber(amountMinor, currency), currency, from: source, reference }
  return { action: 'wallet.funded', object: { type: 'wallet', id: walletId }, before: null, after }
}

function madeEntry(deps: { readonly ids: IdSource }, account: NewAccount, operator: string): Statement {
  const { accountId, name, livemode, wallets } = account
  const after = { name, livemode, currencies: wallets.map(({ currency }) => currency) }
  const made = { action: 'account.created', object: { type: 'account', id: accountId }, before: null, after } as const
  return operatorEntry(deps, account, operator, made)
}

/** A reference stands for one credit: repeated with another amount, source or wallet it is refused as a mistake. */
async function refusalOfRepeat(reader: Session, { lane, accountId }: Wallet, credit: Credit): Promise<Refusal | null> {
  const [result] = await reader.send([findCredit({ lane, accountId }, credit.reference)])
  const row = result?.rows[0]
  if (!row) return null
  const amountMinor = BigInt(row['amount_minor'] as string)
  if (row['wallet_id'] === credit.walletId && amountMinor === credit.amountMinor && row['debit'] === credit.source)
    return null
  const before = `${displayText(amountMinor, credit.currency)} from ${String(row['debit'])}`
  return refuse(
    'credit_not_allowed',
    'reference',
    `The reference ${credit.reference} stands for ${before} to wallet ${String(row['wallet_id'])}. Nothing was credited now. Give this credit a reference of its own.`,
  )
}

/**
 * Finds or starts the database; a server that a gateway runs already is shared. Throws {@link SchemaBehind}, and
 * LoginRefused where the operators' login is not known.
 */
export async function openOperator(
  config: Config,
  say: (line: string) => void,
  by: () => string = userOfSystem,
): Promise<Operator> {
  if (!hasDatabase(config))
    throw new SchemaBehind(
      `There is no database in ${config.dataDir}. Is it the right directory (GATEWAY_DATA_DIR, DATABASE_URL)? To make one: gateway start, or gateway migrate --create`,
    )
  const database = await openDatabase(config, say)
  try {
    const { pending } = await pendingMigrations(database)
    if (pending.length > 0)
      throw new SchemaBehind(`The schema lacks ${pending.join(', ')}. Run: gateway migrate (or start the gateway once)`)
    return operatorOn(config, await asOperatorOf(database), by)
  } catch (fault) {
    await database.stop()
    throw fault
  }
}

function operatorOn(config: Config, database: Database, by: () => string): Operator {
  const reader = openPlannedSession(database)
  const writer = openKeyedSession(database)
  const auditor = openAuditSession(database)
  const wallets = (accountId: string) => {
    const owner = ownerOf(accountId)
    return rowsOf(reader, loadWallets(scopeOf([owner]), [owner]), walletFrom)
  }
  const ids = { nowMs: Date.now, randomHex: () => randomBytes(10).toString('hex') }
  const sealKeys = () => sealKeysHere(config.sealingKeys, config.dataDir)
  return {
    ...openOperatorActions(config, reader, writer),
    ...openOperatorMembers(writer),
    ...openOperatorLists(writer),
    ...openOperatorLanes({ database, reader, auditor, sealKeys, ids }),
    ...openOperatorKeys(config, reader, ids, by),
    ...openOperatorSeals(config, reader, writer, () => seePlacement(database)),
    accounts: () => rowsOf(reader, listAccounts(), accountFrom),
    createAccount: (wanted) => createAccount(reader, ids, wanted, (account) => [madeEntry({ ids }, account, by())]),
    nameOwner: (account, owner, operator) => nameAccountOwner({ reader, ids }, account, owner, operator),
    wallets,
    wallet: async (walletId) => {
      const [owner] = await rowsOf(
        reader,
        findWalletOwner(laneOf(walletId), walletId),
        (row) => row['account_id'] as string,
      )
      return (owner === undefined ? [] : await wallets(owner)).find((each) => each.id === walletId) ?? null
    },
    fund: async (funding) => {
      const credit = creditOf(funding, laneUuid(laneOf(funding.walletId), ids.nowMs(), ids.randomHex()))
      const execute: Execute = (ask) => {
        const entry = operatorEntry({ ids }, ask, funding.backing?.operator ?? by(), fundedEntry(credit))
        return executeAlone(alsoWriting(writer, entry), NO_CHANNELS, ask)
      }
      const answer = await creditWallet({ reader, execute }, credit)
      if (answer === null || isRefusal(answer) || answer.credited) return answer
      return (await refusalOfRepeat(reader, answer.wallet, credit)) ?? answer
    },
    verify: (asked) => verifiedBy(auditor, database, { ...asked, sealKeys: sealKeys() }),
    faultOfOne: (fault) => faultOfOne(database, fault),
    close: async () => {
      await Promise.all([reader.close(), writer.close(), auditor.close()])
      await database.stop()
    },
  }
}

const LANES_PER_NODE = 2

/** Proves the books over as many connections as lanes are read side by side. */
async function verifiedBy(
  first: Session,
  database: Database,
  { parallel, ...asked }: Omit<Verifying, 'seePlaces'> & { readonly parallel: number | null },
): Promise<Verdict> {
  const isCluster = (await engineAt(database.login)) === 'citus'
  const nodes = isCluster
    ? new Set((await lanePlacesAt(first)).map(({ node }) => node)).size
    : serversOfDatabase(database).length
  const others = Array.from({ length: (parallel ?? LANES_PER_NODE * nodes) - 1 }, () => openAuditSession(database))
  try {
    return await verifyBooksBy([first, ...others], { ...asked, seePlaces: () => seePlacement(database) })
  } finally {
    await Promise.all(others.map((each) => each.close()))
  }
}

async function rowsOf<T>(
  session: Session,
  statement: Parameters<Session['send']>[0][number],
  read: (row: Row) => T,
): Promise<T[]> {
  const [result] = await session.send([statement])
  return (result?.rows ?? []).map(read)
}

/** An id carries its lane; an account made elsewhere is simply not found there. */
const ownerOf = (accountId: string) => ({ lane: laneOf(accountId), accountId })

function accountFrom(row: Row): Account {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    profileId: row['profile_id'] as string,
    name: row['name'] as string,
    livemode: row['livemode'] as boolean,
    owner:
      row['owner_name'] === null ? null : { name: row['owner_name'] as string, email: row['owner_email'] as string },
    createdAt: row['created_at'] as Date,
  }
}
