// Changes of policies that begin with what was paid before: a limit holds from the moment in which it comes into force.
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { conditionsOfFees } from '../../domain/policy/fees.ts'
import type { Policy } from '../../domain/policy/policy.ts'
import type { Result, Statement } from '../../platform/db.ts'
import { activePolicies, policyFrom } from '../../store/policies/policies.ts'
import { type AccountChange, changeAccount, type Changer, type Held, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'
import { type Backfill, looksBack, openBackfill } from './history.ts'

/** Each time another change of the same policy came between. */
const TRIES = 5

type Filled = { readonly policy: Policy; readonly backfill: Backfill }
type Answer = { readonly policy: Policy; readonly isCounted: boolean }

/**
 * As {@link changeAccount}, for one policy. Where the change brings it into force with conditions that look back, it is decided
 * twice: the history is read in between, and nothing is held meanwhile.
 */
export async function changeCounted(
  { changes, reader, nowMs }: Pick<Deps, 'changes' | 'reader' | 'nowMs'>,
  changer: Changer,
  load: readonly Statement[],
  decide: (loaded: readonly Result[], held: Held, active: readonly Policy[]) => AccountChange<Policy> | Refusal,
): Promise<Policy | Refusal> {
  const { lane, accountId } = changer
  const inForce = activePolicies({ kind: 'one lane', lane }, [{ lane, accountId }])
  let filled: Filled | null = null
  for (let tried = 0; tried < TRIES; tried++) {
    const ready: Filled | null = filled
    const rest: readonly Statement[] = ready ? ready.backfill.load : []
    const answer: Answer | Refusal = await changeAccount<Answer>(
      changes,
      changer,
      [...load, inForce, ...rest],
      (loaded, held) => {
        const active = (loaded[load.length]?.rows ?? []).map(policyFrom)
        const change = decide(loaded.slice(0, load.length), held, active)
        if (isRefusal(change)) return change
        const policy = change.value
        if (change.statements.length === 0 || !countsAnew(policy, active))
          return { ...change, value: { policy, isCounted: true } }
        if (!ready || !hasSameConditions(ready.policy, policy)) return unchanged({ policy, isCounted: false })
        const statements = [...change.statements, ...ready.backfill.statements(loaded.slice(load.length + 1), active)]
        return { ...change, statements, value: { policy, isCounted: true } }
      },
    )
    if (isRefusal(answer)) return answer
    if (answer.isCounted) return answer.policy
    filled = {
      policy: answer.policy,
      backfill: await openBackfill(reader, { lane, accountId }, answer.policy, nowMs()),
    }
  }
  throw new Error(`a policy of account ${accountId} was changed each time that it was counted`)
}

/** Whether the policy is to look back at what it did not look at before. */
function countsAnew(policy: Policy, active: readonly Policy[]): boolean {
  if (policy.status !== 'active' || !looksBack(policy)) return false
  return !active.some((before) => before.id === policy.id && hasSameConditions(before, policy))
}

const hasSameConditions = (one: Policy, other: Policy): boolean => conditionsText(one) === conditionsText(other)

const conditionsText = ({ when, then }: Policy): string =>
  JSON.stringify(
    [...when, ...(then.kind === 'fees' ? [{ field: then.by }, ...conditionsOfFees(then)] : [])].map((condition) =>
      Object.entries(condition).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
    (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value),
  )
