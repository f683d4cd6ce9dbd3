// What policies look at beside the transfer itself: what was paid lately, verifications, fees. It stands with the account, so that
// nothing else is looked for when its money moves. Pure.
import type { Condition } from './condition.ts'
import type { CountedBy, MeterName } from './meters.ts'
import type { Policy } from './policy.ts'

export type Volume = { readonly channelId: string; readonly currency: string }

export type Look = {
  /** Kinds of meters, as {@link kindOf} says them. */
  readonly meters: readonly string[]
  readonly verifies: boolean
  /** Whether any says what transfers cost; and by the volumes of which channels. Absent of accounts from before there were fees. */
  readonly prices?: boolean
  readonly volumes?: readonly Volume[]
  /** Whether any asks which key pays. Absent of accounts from before that was kept. */
  readonly payers?: boolean
}

/** What is looked at by all of these policies together, whatever their status. */
export function looksAt(policies: readonly Policy[]): Look {
  return {
    meters: [...new Set(policies.flatMap(metersLookedAt))].toSorted(),
    verifies: policies.some(({ then }) => then.kind === 'verification'),
    prices: policies.some(({ then }) => then.kind === 'fees'),
    volumes: policies.flatMap(volumeOf),
    payers: policies.some(({ when }) => when.some(isAboutPayer)),
  }
}

const isAboutPayer = (condition: Condition): boolean =>
  condition.field === 'key' || ((condition.field === 'sum' || condition.field === 'count') && condition.by === 'key')

/** Whether which key pays has a say; it does where that is not known. */
export const asksWhoPays = (look: Look | null): boolean => look?.payers !== false

/** Whether anything is counted by the key that pays: then that has to be known before meters are looked for. */
export const countsByKey = (look: Look | null): boolean =>
  look === null || look.meters.some((kind) => kind.startsWith(BY_KEY))

function volumeOf({ then }: Policy): Volume[] {
  return then.kind === 'fees' && then.by === 'volume' ? [{ channelId: then.channelId, currency: then.currency }] : []
}

/** The meter that a volume is counted in. */
export const volumeMeter = ({ channelId, currency }: Volume): MeterName => ({
  by: 'channel',
  subject: channelId,
  span: '30_days',
  currency,
})

function metersLookedAt(policy: Policy): string[] {
  const ofFees = volumeOf(policy).map((volume) => kindOf('channel', '30_days', volume.currency))
  const ofConditions = policy.when.flatMap((condition) => {
    if (condition.field === 'sum') return [kindOf(condition.by, condition.span, condition.currency)]
    if (condition.field === 'count') return [kindOf(condition.by, condition.span, null)]
    return condition.field === 'recipient.new' ? [kindOf('recipient', 'ever', null)] : []
  })
  return [...ofFees, ...ofConditions]
}

const BY_KEY = 'key ' satisfies `${CountedBy} `

const kindOf = (by: CountedBy, span: MeterName['span'], currency: string | null): string =>
  `${by} ${span} ${currency ?? ''}`

/** Whether a meter is looked at; all are where it is not known what is. */
export function isLookedAt(look: Look | null): (name: MeterName) => boolean {
  if (look === null) return () => true
  const looked = new Set(look.meters)
  return ({ by, span, currency }) => looked.has(kindOf(by, span, currency))
}

/** Which meters the policies look at: no others are written. */
export const isKept = (policies: readonly Policy[]): ((name: MeterName) => boolean) => isLookedAt(looksAt(policies))
