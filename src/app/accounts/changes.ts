// Every change of an account that is no contract's and moves no money: decided while the account is held, written in one
// transaction with its entries in the audit list and its events, and refused where the key that asked has ended meanwhile.
import type { AuditActor, Audited } from '../../domain/account/audit.ts'
import type { AccountEventType, AccountObject } from '../../domain/account/events.ts'
import { isRefusal, keyHasEnded, type Refusal } from '../../domain/contract/refusals.ts'
import type { SerialSession } from '../../engine/serial-session.ts'
import type { Result, Statement } from '../../platform/db.ts'
import { insertAccountEvents } from '../../store/accounts/account-events.ts'
import { type AccountHead, type AccountKey, advanceAccounts, liveApiKeys } from '../../store/accounts/accounts.ts'
import { insertAuditEntries } from '../../store/accounts/audit.ts'
import { CLOCK, databaseTimeFrom } from '../../store/contracts/expiry.ts'
import { type ClaimedKey, noteCarriedOut } from '../../store/contracts/kept-replies.ts'
import { whileHeld } from './held-account.ts'

export type ChangeDeps = {
  readonly serialSession: Pick<SerialSession, 'run'>
  /** A new id on a lane. Ids rise with time. */
  readonly newId: (lane: number) => string
  /** These accounts have new history: who follows it looks now. */
  readonly announce: (accountIds: readonly string[]) => void
}

/** Who changes an account. `keyId` is looked at in the transaction itself, so that a revoked key stops at once. */
export type Changer = AccountKey & {
  readonly keyId: string | null
  readonly actor: AuditActor
  /** The idempotency key of the request: what it makes is noted under it, and made once. */
  readonly claim?: ClaimedKey | null
}

/** The gateway itself, where it ends or stops something that nobody asks for at the moment. */
export const GATEWAY: AuditActor = { kind: 'gateway', id: 'gateway', address: null, requestId: null }

/** What is told of a change, in the feed and by webhooks; under an id that is made anew where it is not said. */
export type NewEvent = { readonly type: AccountEventType; readonly object: AccountObject; readonly id?: string }

export type AccountChange<T> = {
  readonly statements: readonly Statement[]
  readonly audited: readonly Audited[]
  readonly events: readonly NewEvent[]
  readonly value: T
}

/** What a decision may look at beside what it loaded. */
export type Held = { readonly head: AccountHead; readonly nowMs: number }

/** A change that came to nothing: nothing is written. */
export const unchanged = <T>(value: T): AccountChange<T> => ({ statements: [], audited: [], events: [], value })

/**
 * Decides on the account as it stands and writes what was decided. A refusal writes nothing. Throws Busy where another session
 * holds the account for seconds. `decide` may run again, so it keeps no trace but its answer.
 */
export async function changeAccount<T>(
  { serialSession, newId, announce }: ChangeDeps,
  changer: Changer,
  load: readonly Statement[],
  decide: (loaded: readonly Result[], held: Held) => AccountChange<T> | Refusal,
): Promise<T | Refusal> {
  const { lane, accountId, keyId, actor, claim } = changer
  const scope = { kind: 'one lane', lane } as const
  const key = keyId === null ? [] : [liveApiKeys(scope, [{ lane, accountId, keyId }])]
  const own = [CLOCK, ...key]
  let events = 0
  const answer = await whileHeld<T | Refusal>(serialSession, changer, [...own, ...load], (head, loaded) => {
    events = 0
    if (keyId !== null && loaded[1]?.rows.length !== 1) return { statements: [], value: keyHasEnded() }
    const nowMs = databaseTimeFrom(loaded[0])
    const change = decide(loaded.slice(own.length), { head, nowMs })
    if (isRefusal(change)) return { statements: [], value: change }
    events = change.events.length
    const entries = change.audited.map((each) => ({ ...each, lane, accountId, id: newId(lane), at: nowMs, actor }))
    const placed = change.events.map(({ type, object, id = newId(lane) }, i) => ({
      lane,
      accountId,
      position: head.position + 1 + i,
      id,
      event: type,
      subject: object.id,
      at: nowMs,
      object,
    }))
    const isChange = [change.statements, change.audited, change.events].some(({ length }) => length > 0)
    const statements = [
      ...(claim && isChange ? [noteCarriedOut(changer, claim, madeBy(change))] : []),
      ...change.statements,
      ...(entries.length > 0 ? [insertAuditEntries(scope, entries)] : []),
      ...(placed.length > 0
        ? [
            insertAccountEvents(scope, placed),
            advanceAccounts(scope, [{ ...head, position: head.position + placed.length }]),
          ]
        : []),
    ]
    return { statements, value: change.value }
  })
  if (events > 0) announce([accountId])
  return answer
}

/** What a change is about, for whoever looks for it. */
const madeBy = ({ audited, events }: Pick<AccountChange<unknown>, 'audited' | 'events'>): string =>
  audited[0]?.object.id ?? events[0]?.object.id ?? ''
