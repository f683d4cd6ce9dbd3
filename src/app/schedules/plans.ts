// What callers write of schedules -> plans; and the draft of each run, which is read by the rules of any draft.
import { pricesOf } from '../policies/prices.ts'
import type { Caller } from '../accounts/callers.ts'
import type { Deps } from '../deps.ts'
import { findPayee } from '../transfers/payees.ts'
import type { Facts } from '../../domain/contract/decision.ts'
import { isValid, previewOf, problemsOf } from '../../domain/contract/preview.ts'
import { isRefusal, type Problem, type Refusal, refuse, refuseAll, refuseFor } from '../../domain/contract/refusals.ts'
import { readRule, type RuleConfig } from '../../domain/schedule/rule.ts'
import type { Schedule, SchedulePlan, Template } from '../../domain/schedule/schedule.ts'
import { decideCreate, pricedBy } from '../../domain/transfer/draft.ts'
import type { Terms } from '../../domain/transfer/transfer.ts'
import { maskCards } from '../../domain/text/cards.ts'
import { seenText } from '../../domain/text/texts.ts'
import { draftFrom } from '../../wire/contract.ts'
import { ScheduleBody } from '../../wire/schedules/schedule.ts'
import type { DraftBody } from '../../wire/transfer-requests.ts'
import { readerOf } from '../contracts/validation.ts'
import { readDraft } from '../contracts/draft.ts'
import { type OutgoingDraft, outgoingDraft } from '../contracts/outgoing.ts'

/** Whose schedule it is, and in which mode. */
type PlanOwner = Pick<Caller, 'lane' | 'accountId' | 'profileId' | 'livemode'>
type PlanDeps = Pick<Deps, 'channels' | 'contracts' | 'nowMs' | 'reader'>
export type PlanRules = { readonly deps: PlanDeps; readonly currencies: ReadonlySet<string> }

const readSchedule = readerOf(ScheduleBody)

/** The plan that was sent. Its template must be ready to be issued, for nobody looks at it again before it is paid. */
export async function planOf(rules: PlanRules, owner: PlanOwner, body: unknown): Promise<SchedulePlan | Refusal> {
  const sent = readSchedule(body)
  if (isRefusal(sent)) return sent
  const { name, template, rule } = sent.read
  const source = sent.read.source?.toLowerCase() ?? null
  const nowMs = rules.deps.nowMs()
  const read = readRule(rule, nowMs)
  const draft = await draftFor(rules, owner, template)
  const found = [...(Array.isArray(read) ? read : []), ...(isRefusal(draft) ? ofTemplate(draft) : [])]
  const [first, ...others] = found
  if (first) return refuseAll([first, ...others])
  if (isRefusal(draft)) return draft
  const priced = await pricesOf(rules.deps, owner)
  const unready = notReady(rules, owner, draft, priced) ?? (await sourceFault(rules, owner, source, draft.terms))
  if (unready) return unready
  return {
    name: maskCards(seenText(name) ?? '') || null,
    template: templateOf(template, draft),
    channelId: draft.terms.channelId,
    recipientName: draft.terms.recipient?.name ?? null,
    source,
    rule: withoutNulls(rule) as RuleConfig,
  }
}

/** The draft of a run, as a caller's would be read at this moment. */
export async function draftOfSchedule(rules: PlanRules, schedule: Schedule): Promise<OutgoingDraft | Refusal> {
  const sent = readDraft(schedule.template)
  return isRefusal(sent) ? sent : draftFor(rules, schedule, sent.read)
}

const draftFor = (
  { deps, currencies }: PlanRules,
  owner: PlanOwner,
  sent: DraftBody,
): Promise<OutgoingDraft | Refusal> => outgoingDraft(deps, owner, sent, { currencies, livemode: owner.livemode })

/** What is wrong with the template, named as the caller sent it. */
function ofTemplate({ problems, code, param, message }: Refusal): Problem[] {
  const all = problems.length > 0 ? problems : [{ code, param, message }]
  return all.map((problem) => ({
    ...problem,
    param: problem.param === null ? 'template' : `template.${problem.param}`,
  }))
}

/** Why a contract of the template could not be issued; null where nothing is in its way. */
function notReady(
  { deps }: PlanRules,
  owner: PlanOwner,
  draft: OutgoingDraft,
  priced: Pick<Facts, 'price'>,
): Refusal | null {
  const { lane, accountId, livemode } = owner
  const facts = {
    nowMs: deps.nowMs(),
    channels: deps.channels,
    wallet: () => undefined,
    attempt: null,
    refundsAtOnce: false,
    onFailure: { retries: 0, fallbackChannels: [] },
    parent: null,
    ...priced,
  }
  const command = { verb: 'create_transfer', id: owner.profileId, livemode, pays: null, ...draft } as const
  const made = decideCreate(command, lane, accountId, facts)
  if (isRefusal(made)) return { ...made, param: `template.${made.param ?? 'channel'}`, problems: ofTemplate(made) }
  const preview = previewOf(made.after.terms, pricedBy(made.after, facts), made.after.payeeFaults, made.after.feePrice)
  if (isValid(preview)) return null
  const problems = problemsOf(preview).map((each) => ({ ...each, param: `template.${each.param}` }))
  const words = problems.map(({ message }) => message).join(' ')
  return refuseFor('requirements_not_met', problems[0]?.param ?? null, words, problems)
}

async function sourceFault(
  { deps }: PlanRules,
  { accountId }: PlanOwner,
  source: string | null,
  { currency }: Terms,
): Promise<Refusal | null> {
  if (source === null) return null
  const owner = (await findPayee(deps, source))?.owner ?? null
  if (owner?.accountId === accountId && owner.currency === currency) return null
  return refuse('wallet_not_found', 'source', `No ${currency} wallet of yours has this id. See GET /wallets.`)
}

/** The template as it is kept: as it was understood, so that no card number stays; what a profile says is left to the profile. */
function templateOf({ recipient, channel, expires_in }: DraftBody, { terms }: OutgoingDraft): Template {
  const { amount, currency, ...draft } = draftFrom(terms)
  const { profile = null, destination = null } = recipient ?? {}
  const paid = profile === null ? {} : { recipient: { profile, destination }, channel }
  return { amount, currency, ...(withoutNulls({ ...draft, ...paid, expires_in }) as object) }
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}
