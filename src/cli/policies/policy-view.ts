// Policies for people to read: one with its sentence, a table of many, and the trace of a trial.
import type { presentVerdict } from '../../wire/policies/evaluation.ts'
import type { presentPolicy } from '../../wire/policies/policy.ts'
import { print } from '../output.ts'
import { printMany, printOne, type Shows, stateText } from '../view.ts'

export type Policy = ReturnType<typeof presentPolicy>
type Evaluation = ReturnType<typeof presentVerdict>
type Trace = Evaluation['traces'][number]

const POLICY: Shows<Policy> = [
  ['policy', 'id'],
  ['mode', 'livemode'],
  ['status', ({ status, version }) => `${stateText(status)} (version ${version})`],
  ['name', 'name'],
  ['description', 'description'],
  ['priority', 'priority'],
  ['does', 'sentence'],
  ['updated', 'updated_at'],
]

export const POLICIES: Shows<Policy> = [
  ['policy', 'id'],
  ['priority', 'priority'],
  ['name', 'name'],
  ['status', 'status'],
  ['does', 'sentence'],
]

export const VERSIONS: Shows<Policy> = [
  ['version', 'version'],
  ['status', 'status'],
  ['priority', 'priority'],
  ['does', 'sentence'],
  ['updated', 'updated_at'],
]

export const POLICY_CSV = [
  'id',
  'name',
  'status',
  'priority',
  'sentence',
  'version',
  'created_at',
  'updated_at',
] as const

export function printPolicy({ policy }: { readonly policy: Policy }): void {
  printOne(policy, POLICY)
}

const VERDICT: Shows<Evaluation> = [
  ['decision', 'decision'],
  ['words', 'words'],
  ['denied by', ({ denied_by: by }) => by?.name ?? null],
  [
    'approvals',
    ({ approvals }) =>
      approvals.map(
        ({ policy, mandate, count, given, role }) =>
          `${given} of ${count}${role === null ? '' : ` (${role})`}: ${policy?.name ?? `mandate of ${mandate?.name}`}`,
      ),
  ],
  [
    'verifications',
    ({ verifications }) =>
      verifications.map(({ policy, verification, status }) => `${verification} (${status}): ${policy.name}`),
  ],
  ['fee', ({ fees }) => fees && feeText(fees)],
  ['delay', ({ delay_seconds: seconds }) => (seconds === 0 ? null : `${seconds} s`)],
  ['at', 'at'],
  ['note', ({ notes }) => notes.join(' ') || null],
]

/** The fee in major units, and whose price it is: "12.5, by “Volume” (tier 2); the channel asks 10". */
function feeText({ total, channel_total: own, name, tier }: NonNullable<Evaluation['fees']>): string {
  const by = `by “${name}” (tier ${tier})`
  return total === null
    ? `none: the channel has no price in the currency (${by})`
    : `${total}, ${by}; the channel asks ${own}`
}

type Line = { readonly policy: string; readonly condition: string; readonly met: string; readonly value: string }

const LINES: Shows<Line> = [
  ['policy', 'policy'],
  ['met', 'met'],
  ['condition', 'condition'],
  ['value', 'value'],
]

function linesOf({ policy, applies, conditions }: Trace): Line[] {
  const head = {
    policy: policy.name,
    condition: applies ? 'applies' : 'does not apply',
    met: applies ? 'yes' : 'no',
    value: '',
  }
  const lines = conditions.map(({ words, met, value }) => ({
    policy: '',
    condition: words,
    met: met ? 'yes' : 'no',
    value,
  }))
  return [head, ...lines]
}

/** The verdict, and below it each policy with its conditions. */
export function printEvaluation({ evaluation }: { readonly evaluation: Evaluation }): void {
  printOne(evaluation, VERDICT)
  if (evaluation.traces.length === 0) return
  print()
  printMany(evaluation.traces.flatMap(linesOf), LINES)
}
