// Accounts and their keys, as an operator makes them: not a caller's business, so not commands of the write path.
import type { Scope } from '../../domain/account/scopes.ts'
import { LANE_COUNT, laneUuid } from '../../domain/contract/ids.ts'
import { newApiKey } from '../../platform/credentials.ts'
import type { Session, Statement } from '../../platform/db.ts'
import { insertAccount, insertApiKey, insertWallet } from '../../store/accounts/admin.ts'

export type NewAccount = {
  readonly lane: number
  readonly accountId: string
  readonly profileId: string
  readonly name: string
  readonly livemode: boolean
  readonly wallets: readonly { readonly id: string; readonly currency: string }[]
}

export type IdSource = { readonly nowMs: () => number; readonly randomHex: () => string }

/** Makes an account on a lane chosen by chance, with one wallet for each currency. */
export async function createAccount(
  session: Session,
  ids: IdSource,
  wanted: {
    readonly name: string
    readonly livemode: boolean
    readonly currencies: readonly string[]
    /** Whether its members may operate the gateway. */
    readonly operates?: boolean
  },
  alongside: (account: NewAccount) => readonly Statement[] = () => [],
): Promise<NewAccount> {
  const lane = Number.parseInt(ids.randomHex().slice(0, 4), 16) % LANE_COUNT
  const newId = () => laneUuid(lane, ids.nowMs(), ids.randomHex())
  const { name, livemode, operates = false } = wanted
  const wallets = wanted.currencies.map((currency) => ({ id: newId(), currency }))
  const account = { lane, accountId: newId(), profileId: newId(), name, livemode, wallets }
  const rows = [...insertAccount({ ...account, operates }), ...wallets.map((wallet) => insertWallet(account, wallet))]
  await together(session, [...rows, ...alongside(account)])
  return account
}

export type NewKey = {
  readonly name: string
  readonly livemode: boolean
  readonly scopes: readonly Scope[]
  readonly expiresInSeconds: number | null
}

/** Makes a key for an account. The text is shown once and kept nowhere. */
export async function createApiKey(
  session: Session,
  owner: { readonly lane: number; readonly accountId: string },
  wanted: NewKey,
): Promise<{ readonly keyId: string; readonly text: string }> {
  const { keyId, text, hash } = newApiKey(owner.lane, wanted.livemode)
  await together(session, [insertApiKey({ ...owner, ...wanted, keyId, hash })])
  return { keyId, text }
}

async function together(session: Session, statements: readonly Statement[]): Promise<void> {
  await session.transaction([], () => ({ statements, value: undefined }))
}
