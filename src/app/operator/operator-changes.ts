// How an operator's change of an account is written: by the use cases of everybody, with the operator as its actor; and where the
// write path carries it, with its entry in the account's audit list in the same transaction.
import type { Audited } from '../../domain/account/audit.ts'
import { laneUuid } from '../../domain/contract/ids.ts'
import type { Decide, Session, Statement } from '../../platform/db.ts'
import { scopeOf } from '../../platform/scope.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { insertAuditEntries } from '../../store/accounts/audit.ts'
import type { IdSource } from '../accounts/accounts.ts'
import type { ChangeDeps, Changer } from '../accounts/changes.ts'

/** Changes of an account on the database itself, one at a time. Whoever follows it looks there by itself. */
export const operatorChanges = ({ reader, ids }: { readonly reader: Session; readonly ids: IdSource }): ChangeDeps => ({
  serialSession: { run: (work) => work(reader) },
  newId: (lane) => laneUuid(lane, ids.nowMs(), ids.randomHex()),
  announce: () => undefined,
})

export const changedBy = ({ lane, accountId }: AccountKey, operator: string): Changer => ({
  lane,
  accountId,
  keyId: null,
  actor: { kind: 'operator', id: operator, address: null, requestId: null },
})

/** The entry in an account's audit list that goes with what an operator does to its money, in the same transaction. */
export function operatorEntry(
  { ids }: { readonly ids: IdSource },
  account: AccountKey,
  operator: string,
  audited: Audited,
): Statement {
  const { lane, accountId } = account
  const at = ids.nowMs()
  const entry = { ...audited, lane, accountId, at, id: laneUuid(lane, at, ids.randomHex()) }
  return insertAuditEntries(scopeOf([account]), [{ ...entry, actor: changedBy(account, operator).actor }])
}

/** The session, but each transaction that writes anything writes these as well. */
export function alsoWriting(session: Session, ...statements: readonly Statement[]): Session {
  return {
    ...session,
    transaction: (load, decide) => session.transaction(load, alsoStoring(decide, statements)),
  }
}

function alsoStoring<T>(decide: Decide<T>, statements: readonly Statement[]): Decide<T> {
  return (loaded) => {
    const decided = decide(loaded)
    if ('load' in decided) return { ...decided, decide: alsoStoring(decided.decide, statements) }
    return decided.statements.length === 0
      ? decided
      : { ...decided, statements: [...decided.statements, ...statements] }
  }
}
