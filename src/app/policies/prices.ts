// What an account's policies of fees ask for drafts that are not written: for comparisons, dry runs and schedules. The write path
// asks the same when a draft is written.
import type { Facts } from '../../domain/contract/decision.ts'
import { circumstancesOf } from '../../domain/policy/circumstances.ts'
import { judge } from '../../domain/policy/judge.ts'
import { looksAt, volumeMeter } from '../../domain/policy/look.ts'
import type { Meter } from '../../domain/policy/meters.ts'
import { CLOCK, databaseTimeFrom } from '../../store/contracts/expiry.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { loadMeters, meterFrom, meterId } from '../../store/policies/meters.ts'
import { activePolicies, policyFrom } from '../../store/policies/policies.ts'
import type { Deps } from '../deps.ts'

/** As of now; empty where the account has no policies of fees. */
export async function pricesOf(
  { reader }: Pick<Deps, 'reader'>,
  { lane, accountId }: AccountKey,
): Promise<Pick<Facts, 'price'>> {
  const scope = { kind: 'one lane', lane } as const
  const [clock, active] = await reader.send([CLOCK, activePolicies(scope, [{ lane, accountId }])])
  const policies = (active?.rows ?? []).map(policyFrom).filter(({ then }) => then.kind === 'fees')
  if (policies.length === 0) return {}
  const names = (looksAt(policies).volumes ?? []).map((volume) => meterId(volumeMeter(volume)))
  const [stored] = await reader.send([
    loadMeters(
      scope,
      names.map((meter) => ({ lane, accountId, meter })),
    ),
  ])
  const meters = new Map<string, Meter>((stored?.rows ?? []).map(meterFrom).map(({ meter, steps }) => [meter, steps]))
  const moment = { nowMs: databaseTimeFrom(clock), local: { hour: 0, weekday: 1 } }
  const nobody = { keyId: null, keyLine: null, memberId: null, walletId: null }
  return {
    price: (terms) =>
      judge(
        policies,
        circumstancesOf({ terms }, nobody, moment, null, (name) => meters.get(meterId(name))),
      ).fees,
  }
}
