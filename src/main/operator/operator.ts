// What an operator does on the database itself, beside a running gateway or without one: accounts, keys, top-ups, proofs.
// No HTTP and no workers.
import { randomBytes } from 'node:crypto'
import { createAccount, createApiKey, type NewAccount, type NewKey } from '../../app/accounts/accounts.ts'
import { type Credit, creditWallet } from '../../app/accounts/credits.ts'
import { executeAlone } from '../../engine/execute.ts'
import { handOver } from '../../app/accounts/receiver-secrets.ts'
import type { WalletResult } from '../../engine/command-request.ts'
import { type Verdict, verifyBooks } from '../../app/operator/verify.ts'
import { maskCards } from '../../domain/text/cards.ts'
import { laneOf, laneUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { displayText } from '../../domain/money/money.ts'
import { findCredit } from '../../ledger/outside-credits.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import { findWalletOwner, loadWallets, walletFrom } from '../../ledger/wallets.ts'
import { newApiKey } from '../../platform/credentials.ts'
import type { Row, Session } from '../../platform/db.ts'
import { MANY_LANES } from '../../platform/scope.ts'
import type { Sealing } from '../../platform/sealing.ts'
import {
  type AccountOwner,
  insertApiKey,
  listAccounts,
  listApiKeys,
  nameOwner,
  revokeApiKey,
} from '../../store/accounts/admin.ts'
import { insertOperatorAction } from '../../store/operator/operator-actions.ts'
import { findApiKey, storedKeyFrom } from '../../store/accounts/callers.ts'
import { lockReceiver, storedReceiverFrom } from '../../store/accounts/receiver-secrets.ts'
import type { Config } from '../config/config.ts'
import {
  asOperatorOf,
  hasDatabase,
  type Database,
  migrateSchema,
  openAuditSession,
  openDatabase,
  openKeyedSession,
  openPlannedSession,
  SchemaBehind,
} from '../database/database.ts'
import { NO_CHANNELS } from './funding.ts'
import { openOperatorActions, type OperatorActions } from './operator-actions.ts'
import { openOperatorMembers, type OperatorMembers } from './operator-members.ts'
import { openReceiverKeys, type ReceiverKeys, sealingOf } from './receiver-keys.ts'

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

export type StoredKey = {
  readonly keyId: string
  readonly accountId: string
  readonly name: string
  readonly livemode: boolean
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
}

export type Operator = OperatorActions &
  OperatorMembers &
  ReceiverKeys & {
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
    /** The account's keys, oldest first; their secrets are kept nowhere. */
    readonly keys: (accountId: string) => Promise<StoredKey[]>
    /** The new key's id and its text, which is shown once; null where there is no such account. */
    readonly createKey: (accountId: string, wanted: Omit<NewKey, 'livemode'>) => Promise<NewKeyText | null>
    /** Ends a key at once; false where no live key has the id. */
    readonly revokeKey: (keyId: string) => Promise<boolean>
    /** Makes a key like this one, which ends after the overlap; null where no live key has the id. */
    readonly rollKey: (keyId: string, overlapSeconds: number) => Promise<NewKeyText | null>
    readonly verify: (onLane: (done: number, total: number) => void) => Promise<Verdict>
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

export type NewKeyText = { readonly keyId: string; readonly text: string }

/**
 * Finds or starts the database; a server that a gateway runs already is shared. Throws {@link SchemaBehind}, and
 * LoginRefused where the operators' login is not known.
 */
export async function openOperator(config: Config, say: (line: string) => void): Promise<Operator> {
  if (!hasDatabase(config))
    throw new SchemaBehind(
      `There is no database in ${config.dataDir} yet. Start the gateway once, or run: gateway migrate`,
    )
  const database = await openDatabase(config, say)
  try {
    const { pending } = await migrateSchema(database, 'dry-run', () => undefined)
    if (pending.length > 0)
      throw new SchemaBehind(`The schema lacks ${pending.join(', ')}. Run: gateway migrate (or start the gateway once)`)
    return operatorOn(config, await asOperatorOf(database))
  } catch (fault) {
    await database.stop()
    throw fault
  }
}

function operatorOn(config: Config, database: Database): Operator {
  const reader = openPlannedSession(database)
  const writer = openKeyedSession(database)
  const auditor = openAuditSession(database)
  const wallets = (accountId: string) => rowsOf(reader, loadWallets(MANY_LANES, [ownerOf(accountId)]), walletFrom)
  const ids = { nowMs: Date.now, randomHex: () => randomBytes(10).toString('hex') }
  return {
    ...openOperatorActions(config, reader, writer),
    ...openReceiverKeys(config, reader),
    ...openOperatorMembers(writer),
    accounts: () => rowsOf(reader, listAccounts(), accountFrom),
    createAccount: (wanted) => createAccount(reader, ids, wanted),
    nameOwner: (account, owner, by) => {
      const id = laneUuid(account.lane, ids.nowMs(), ids.randomHex())
      const { accountId: target } = account
      const action = {
        id,
        operator: by,
        action: 'account owner',
        target,
        evidence: `${owner.name} <${owner.email}>`,
      } as const
      const statements = [nameOwner(account, owner), insertOperatorAction(action)]
      return reader.transaction([], () => ({ statements, value: undefined }))
    },
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
      const answer = await creditWallet({ reader, execute: (ask) => executeAlone(writer, NO_CHANNELS, ask) }, credit)
      if (answer === null || isRefusal(answer) || answer.credited) return answer
      return (await refusalOfRepeat(reader, answer.wallet, credit)) ?? answer
    },
    keys: (accountId) => rowsOf(reader, listApiKeys(ownerOf(accountId)), (row) => keyFrom(accountId, row)),
    createKey: async (accountId, wanted) => {
      const account = (await rowsOf(reader, listAccounts(), accountFrom)).find((each) => each.accountId === accountId)
      return account ? createApiKey(reader, account, { ...wanted, livemode: account.livemode }) : null
    },
    revokeKey: async (keyId) =>
      (await rowsOf(reader, revokeApiKey(laneOfKey(keyId), keyId, 0), (row) => row)).length > 0,
    rollKey: (keyId, overlapSeconds) => rollKey(reader, () => sealingOf(config), keyId, overlapSeconds),
    verify: (onLane) => verifyBooks(auditor, onLane),
    close: async () => {
      await Promise.all([reader.close(), writer.close(), auditor.close()])
      await database.stop()
    },
  }
}

/** The old key's end and the new key in one transaction: there is never none, and never one too many for long. */
async function rollKey(
  session: Session,
  sealing: () => Sealing,
  keyId: string,
  overlapSeconds: number,
): Promise<NewKeyText | null> {
  const lane = laneOfKey(keyId)
  return session.transaction<NewKeyText | null>(
    [findApiKey(lane, keyId), lockReceiver(lane, keyId), revokeApiKey(lane, keyId, overlapSeconds)],
    ([found, receiver, ended]) => {
      const row = found?.rows[0]
      if (!row || !ended?.rows[0]) return { statements: [], value: null }
      const { accountId, livemode, scopes } = storedKeyFrom(row)
      const { keyId: newId, text, hash } = newApiKey(lane, livemode)
      const name = ended.rows[0]['name'] as string
      const statements = [
        insertApiKey({ lane, accountId, keyId: newId, hash, name, scopes, livemode, expiresInSeconds: null }),
      ]
      const secrets = receiver?.rows[0]
      if (secrets) statements.push(handOver(sealing(), storedReceiverFrom(secrets), newId))
      return { statements, value: { keyId: newId, text } }
    },
  )
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
const laneOfKey = (keyId: string) => Number.parseInt(keyId.slice(0, 2), 16)

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

function keyFrom(accountId: string, row: Row): StoredKey {
  return {
    keyId: row['key_id'] as string,
    accountId,
    name: row['name'] as string,
    livemode: row['livemode'] as boolean,
    scopes: row['scopes'] as string[],
    createdAt: row['created_at'] as Date,
    expiresAt: row['expires_at'] as Date | null,
    revokedAt: row['revoked_at'] as Date | null,
  }
}
