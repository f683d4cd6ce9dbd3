// What an account says of itself: looked at and changed by its keys and members, and by operators.
import { type AuditedValues, changed } from '../../domain/account/audit.ts'
import { type AccountPatch, type OwnAccount, patchedAccount, type PatchRules } from '../../domain/account/settings.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import type { Session, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { saveBrand } from '../../store/accounts/brands.ts'
import { replaceOrigins } from '../../store/accounts/origins.ts'
import { findOwnAccount, ownAccountFrom, saveOperates, saveOwnAccount } from '../../store/accounts/settings.ts'
import { wakeReturns } from '../../store/operator/operator-actions.ts'
import { presentAccount } from '../../wire/accounts/account.ts'
import { auditedBrand } from './brands.ts'
import { changeAccount, type ChangeDeps, type Changer, unchanged } from './changes.ts'

/** The account of a caller, or of an id that may be none. */
export async function ownAccount(reader: Session, key: AccountKey): Promise<OwnAccount | null> {
  const [result] = await reader.send([findOwnAccount(key)])
  const row = result?.rows[0]
  return row ? ownAccountFrom(row) : null
}

/** Changes what is named and leaves the rest; as it is afterwards. `alongside` is written with a change. */
export function updateAccount(
  deps: ChangeDeps,
  changer: Changer,
  patch: AccountPatch,
  rules: PatchRules,
  alongside: readonly Statement[] = [],
): Promise<OwnAccount | Refusal> {
  return changeAccount<OwnAccount>(deps, changer, [findOwnAccount(changer)], ([found]) => {
    const row = found?.rows[0]
    if (!row) throw new Error('a held account is not there')
    const before = ownAccountFrom(row)
    const after = patchedAccount(before, patch, rules)
    if (isRefusal(after)) return after
    const difference = changed(audited(before), audited(after))
    if (!difference) return unchanged(before)
    return {
      statements: [
        saveOwnAccount(changer, after),
        ...(patch.operates === undefined ? [] : [saveOperates(changer, after.operates)]),
        ...(patch.brand ? [saveBrand(changer, after.brand)] : []),
        ...(patch.returnsAtOnce === true ? [wakeReturns(changer)] : []),
        ...(patch.corsOrigins ? replaceOrigins(changer, patch.corsOrigins) : []),
        ...alongside,
      ],
      audited: [{ action: 'account.updated', object: { type: 'account', id: after.id }, ...difference }],
      events: [{ type: 'account.updated', object: presentAccount(after) }],
      value: after,
    }
  })
}

/** The members as the API names them, without those that never change. */
function audited(account: OwnAccount): AuditedValues {
  const { name, operates, time_zone, default_currency, settings, cors_origins, sites } = presentAccount(account)
  return {
    name,
    operates,
    time_zone,
    default_currency,
    ...settings,
    cors_origins,
    sites,
    ...auditedBrand(account.brand),
  }
}
