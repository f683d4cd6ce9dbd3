// Policies as they are stored: a head that says which version is the newest, and the versions. Whoever writes one holds its account.
import type { Condition } from '../../domain/policy/condition.ts'
import type { FeeSchedule } from '../../domain/money/fees.ts'
import type { Outcome, Policy, PolicyNames } from '../../domain/policy/policy.ts'
import { forRows } from '../../platform/columns.ts'
import type { Row } from '../../platform/db.ts'
import { OWNER } from '../columns.ts'

type StoredCondition = Omit<Condition, 'amountMinor' | 'aboveMinor'> & {
  readonly amountMinor?: string
  readonly aboveMinor?: string
}

/** A version as JSON, amounts as text. It may gain members; those it has keep their meaning, for versions are never rewritten. */
export function policyDocument({
  lane: _,
  accountId: __,
  id: ___,
  version: ____,
  names: _____,
  ...said
}: Policy): string {
  return JSON.stringify(said, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}

export function policyFrom(row: Row): Policy {
  const said = row['document'] as Omit<Policy, 'lane' | 'accountId' | 'id' | 'version' | 'when'> & {
    readonly when: readonly StoredCondition[]
  }
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    id: row['policy_id'] as string,
    version: row['version'] as number,
    ...said,
    when: said.when.map(conditionFrom),
    then: outcomeFrom(said.then),
    ...(row['names'] ? { names: row['names'] as PolicyNames } : {}),
  }
}

type StoredTier = { readonly upToMinor: string | null; readonly fees: Record<keyof FeeSchedule, string> }

/** Of fees the amounts are text; other outcomes have none. */
function outcomeFrom(then: Outcome): Outcome {
  if (then.kind !== 'fees') return then
  const tiers = then.tiers as unknown as readonly StoredTier[]
  return {
    ...then,
    tiers: tiers.map(({ upToMinor, fees: { pctPpm, addMinor, minMinor, maxMinor, fixedMinor } }) => ({
      upToMinor: upToMinor === null ? null : BigInt(upToMinor),
      fees: {
        pctPpm: BigInt(pctPpm),
        addMinor: BigInt(addMinor),
        minMinor: BigInt(minMinor),
        maxMinor: BigInt(maxMinor),
        fixedMinor: BigInt(fixedMinor),
      },
    })),
  }
}

function conditionFrom({ amountMinor, aboveMinor, ...others }: StoredCondition): Condition {
  return {
    ...others,
    ...(amountMinor === undefined ? {} : { amountMinor: BigInt(amountMinor) }),
    ...(aboveMinor === undefined ? {} : { aboveMinor: BigInt(aboveMinor) }),
  } as Condition
}

/** The policies of accounts that are in force. */
export const activePolicies = forRows(
  'active_policies',
  OWNER,
  (keys) => `select v.lane, v.account_id, v.policy_id, v.version, v.document
     from ${keys}
     join policies p on p.lane = x.lane and p.account_id = x.account_id and p.status = 'active'
     join policy_versions v on v.lane = p.lane and v.account_id = p.account_id and v.policy_id = p.id and v.version = p.version
    where $lane(p) and $lane(v)`,
)
