// The lines of a contract's history on the wire (spec 2.6), of either kind: shape and presenters.
import { ACTIVITY_SUMMARIES } from '../domain/contract/activities.ts'
import Type from 'typebox'
import type { Contract } from '../domain/contract/contract.ts'
import { activityId, FIRST_EPOCH } from '../domain/contract/ids.ts'
import { displayText } from '../domain/money/money.ts'
import type { Activity as DomainActivity, Changes } from '../domain/transfer/transfer.ts'
import { proxyUuid } from '../platform/credentials.ts'
import { envelope, nullable, nullableText, time, uuid, type Wire } from './shapes.ts'
import { iso } from './times.ts'

const Free = Type.Record(Type.String(), Type.Unknown())

export const Activity = Type.Object(
  {
    parent: uuid('The contract.'),
    id: uuid('The line’s own id.'),
    type: Type.String(),
    actor: uuid('The profile that did it.'),
    proxy: nullable(uuid('The member who acted, or the API key by which the actor did: gateway keys list shows it.')),
    summary: Type.String(),
    published_at: time('When.'),
    resource: Type.Object({ id: uuid('The contract.'), type: Type.String(), data: Free }),
  },
  { $id: 'Activity' },
)

/** The activity that paid a contract. */
export const PaidActivity = Type.Object({ paid_at: time('When.'), details: Activity })

export const ActivitiesReply = envelope('number', Type.Object({ activities: Type.Array(Activity), next: nullableText }))

/** The gateway's own profile: the actor of what workers, clocks and rails do. */
const GATEWAY_PROFILE = '00000000-0000-8000-8000-000000000001'

/** Whoever holds the token of a payment contract: nobody knows more of a payer. */
const PAYER_PROFILE = '00000000-0000-8000-8000-000000000002'

function actorOf({ actor }: DomainActivity, profileId: string): string {
  if (actor === 'account') return profileId
  return actor === 'payer' ? PAYER_PROFILE : GATEWAY_PROFILE
}

export function presentActivity(
  contract: Contract,
  line: DomainActivity,
  index: number,
  profileId: string,
): Wire<typeof Activity> {
  return {
    parent: contract.id,
    id: activityId(contract.id, index, line.epoch ?? FIRST_EPOCH),
    type: line.type,
    actor: actorOf(line, profileId),
    proxy: line.proxy ? proxyUuid(line.proxy) : null,
    summary: summaryOf(contract, line),
    published_at: iso(line.at),
    resource: { id: contract.id, type: `contract.${contract.kind}`, data: dataOf(line) },
  }
}

function dataOf({ data, changes }: DomainActivity): Readonly<Record<string, unknown>> {
  if (data) return data
  if (!changes) return {}
  const { changed, before, after } = changes
  return { changed, ...(before && after ? { before: timed(before), after: timed(after) } : {}) }
}

/** Times are kept as numbers, and shown as texts. */
function timed(values: NonNullable<Changes['before']>) {
  const { expires_at: expiresAt } = values
  return typeof expiresAt === 'number' ? { ...values, expires_at: iso(expiresAt) } : values
}

/** How many activities a contract shows of itself. */
const ACTIVITIES_SHOWN = 50

/** The activities of a contract as it shows them: the newest, oldest first, how many there are, and the one that paid it. */
export function presentActivities(contract: Contract, profileId: string) {
  const { activities } = contract
  const folded = contract.kind === 'transfer' ? (contract.folded ?? 0) : 0
  // Updates that are folded away stand after the first activity.
  const shown = (line: DomainActivity, place: number) =>
    presentActivity(contract, line, place === 0 ? 0 : place + folded, profileId)
  const from = Math.max(0, activities.length - ACTIVITIES_SHOWN)
  return {
    activities: activities.slice(from).map((line, i) => shown(line, from + i)),
    activities_total: activities.length + folded,
    payment: contract.paidAt === null ? null : paymentOf(contract, contract.paidAt, shown),
  }
}

/** The paid activity, as it stands among the others. */
function paymentOf(
  { activities }: Contract,
  paidAt: number,
  shown: (line: DomainActivity, place: number) => Wire<typeof Activity>,
): Wire<typeof PaidActivity> | null {
  const place = activities.findIndex((line) => line.type === 'paid')
  const paid = activities[place]
  if (!paid) return null
  return { paid_at: iso(paidAt), details: shown(paid, place) }
}

function summaryOf(contract: Contract, line: DomainActivity): string {
  const words = ACTIVITY_SUMMARIES[line.type]
  // A payment contract is never a draft.
  if (line.type === 'created' && contract.kind === 'payment') return 'Created'
  if (line.changes) return changedWords(words, line.changes.changed)
  if (line.type === 'verified' && line.data) return `${words}: ${line.data['kind']}, ${line.data['result']}`
  if (line.type === 'paid') return `${words}: ${displayText(contract.debitMinor, contract.terms.currency)}`
  if (line.type === 'refunded' && contract.kind === 'transfer' && contract.refund)
    return `${words}: ${displayText(contract.refund.amountMinor, contract.terms.currency)}`
  return words
}

const NAMES_SHOWN = 5

function changedWords(words: string, changed: readonly string[]): string {
  if (changed.length === 0) return words
  const more = changed.length > NAMES_SHOWN ? ` and ${changed.length - NAMES_SHOWN} more` : ''
  return `${words}: ${changed.slice(0, NAMES_SHOWN).join(', ')}${more}`
}
