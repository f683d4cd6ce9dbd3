// What policies ask for before an issued transfer is paid: requested when it is issued, so that those who approve and verify can
// begin; and again when it is to be paid, by the rules of that moment. Pure.
import { activity, type Decision, moved, type Rules, type Unasked } from '../contract/decision.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'
import { askerWords, isSameAsker, type Judgement } from '../policy/judge.ts'
import {
  type LackingApproval,
  type LackingVerification,
  lackingApprovals,
  type NotedVerification,
  type Requirements,
} from '../policy/requirements.ts'
import type { Transfer } from './transfer.ts'
import { withNoted } from './verified.ts'

export function refusePolicy({ name, words, param }: NonNullable<Judgement['denied']>): Refusal {
  return refuse('policy_denied', param, `${words} (policy “${name}”)`)
}

type Lacking = {
  readonly approvals: readonly LackingApproval[]
  readonly verifications: readonly LackingVerification[]
}

function lackingOf(contract: Transfer, judged: Judgement, rules: Rules, unasked: Unasked = 'ask'): Lacking {
  const given = contract.requirements?.given ?? []
  const { approvals, verifications } = judged
  return {
    approvals:
      approvals.length === 0 ? [] : lackingApprovals(approvals, given, rules.termsHash(contract), rules.roleOf),
    verifications: verifications.length === 0 ? [] : rules.lackingVerifications(contract, verifications, unasked),
  }
}

/** What the freshly issued contract asks for at once; null where its policies ask for nothing, or nothing is lacking. */
export function requestedAtIssue(issued: Transfer, rules: Rules, nowMs: number): Decision | null {
  const judged = rules.judge(issued, issued.walletId)
  const lacking = lackingOf(issued, judged, rules)
  return isNothing(lacking) ? null : requested(issued, judged, lacking, nowMs)
}

/** Why the contract is not paid yet; null where nothing is lacking. What was not asked for before is asked for now. */
export function waitsFor(
  contract: Transfer,
  judged: Judgement,
  rules: Rules,
  nowMs: number,
): Decision | Refusal | null {
  const lacking = lackingOf(contract, judged, rules)
  if (isNothing(lacking)) return null
  const answer = refuseLacking(lacking)
  return isAskedAlready(contract.requirements, lacking)
    ? answer
    : { ...requested(contract, judged, lacking, nowMs), answer }
}

/** Why it may not leave, or how long it waits first. */
export type Judged = { readonly why: Refusal | null; readonly delayMs: number }

/**
 * What the rules say of a paid contract that is to go by another channel, as if it were paid by that one: why not, or how long it waits.
 * What it was allowed to leave by before says nothing of this one.
 */
export function judgedOn(contract: Transfer, channelId: string, rules: Rules, unasked: Unasked): Judged {
  const there: Transfer = { ...contract, terms: { ...contract.terms, channelId } }
  return judgedAs(there, rules, unasked, refuseLacking)
}

/**
 * The same of a transfer that opens paid, as money of a payment does that goes elsewhere than back. Nothing of it can be approved, and no
 * contract stands yet that anybody could be asked about: what is lacking refuses it, and says how else it can be done.
 */
export const judgedOpening = (contract: Transfer, rules: Rules): Judged =>
  judgedAs(contract, rules, 'leave', (lacking) => refuseOpening(lacking, contract))

function judgedAs(
  contract: Transfer,
  rules: Rules,
  unasked: Unasked,
  refuseFor: (lacking: Lacking) => Refusal,
): Judged {
  const judged = rules.judge(contract, contract.walletId)
  const delayMs = judged.delaySeconds * 1000
  if (judged.denied) return { why: refusePolicy(judged.denied), delayMs }
  const lacking = lackingOf(contract, judged, rules, unasked)
  return { why: isNothing(lacking) ? null : refuseFor(lacking), delayMs }
}

/**
 * Asks about the recipient what is lacking for another channel, without waiting for it. Nothing is asked where it could not go by that one
 * by itself; and no code is sent to anybody for a channel that may never be needed.
 */
export function askAheadOn(contract: Transfer, channelId: string, rules: Rules): void {
  const there: Transfer = { ...contract, terms: { ...contract.terms, channelId } }
  const { denied, approvals, verifications } = rules.judge(there, there.walletId)
  if (denied || approvals.length > 0) return
  const needs = verifications.filter(({ verification }) => verification !== 'otp')
  if (needs.length > 0) rules.lackingVerifications(there, needs, 'ask_ahead')
}

const isNothing = ({ approvals, verifications }: Lacking) => approvals.length === 0 && verifications.length === 0

function isAskedAlready(requirements: Requirements | undefined, { approvals, verifications }: Lacking): boolean {
  if (!requirements) return false
  const isApproval = (need: LackingApproval) =>
    requirements.approvals.some(
      (each) => isSameAsker(each, need) && each.count === need.count && each.role === need.role,
    )
  const isVerification = (need: LackingVerification) =>
    need.standing !== 'not_started' &&
    requirements.verifications.some(
      (each) => each.verification === need.verification && each.verifierId === need.verifierId,
    )
  return approvals.every(isApproval) && verifications.every(isVerification)
}

function requested(contract: Transfer, judged: Judgement, lacking: Lacking, nowMs: number): Decision {
  const { approvals, verifications } = judged
  const given = contract.requirements?.given ?? []
  const requirements: Requirements = { askedAt: nowMs, approvals, verifications, given }
  const asksApproval = lacking.approvals.length > 0
  const lines = [
    ...(asksApproval
      ? [activity('approval_requested', nowMs, 'gateway', { policies: namesOf(lacking.approvals) })]
      : []),
    ...(lacking.verifications.length > 0
      ? [activity('verification_requested', nowMs, 'gateway', { policies: namesOf(lacking.verifications) })]
      : []),
  ]
  return moved(
    contract,
    nowMs,
    { requirements, ...notedIn(contract, lacking) },
    lines,
    asksApproval ? 'contract.approval_requested' : null,
  )
}

/** What is asked now, or was asked for another contract, is shown with this one from now on. */
function notedIn(contract: Transfer, lacking: Lacking): Pick<Transfer, 'verifications'> {
  const noted = lacking.verifications.flatMap(
    ({ verificationId: id, verification, verifierId, standing, words }): NotedVerification[] => {
      if (id === null) return []
      const status = standing === 'not_started' ? 'pending' : standing
      return [{ id, verification, verifierId, verifierName: null, status, words, endedAt: null, expiresAt: null }]
    },
  )
  const known = new Set((contract.verifications ?? []).map(({ id }) => id))
  const fresh = noted.filter(({ id }) => !known.has(id))
  return fresh.length === 0 ? {} : { verifications: withNoted(contract, fresh) }
}

const namesOf = (needs: readonly { readonly name: string }[]) => [...new Set(needs.map(({ name }) => name))].join(', ')

function refuseLacking({ approvals, verifications }: Lacking): Refusal {
  const [approval] = approvals
  if (approval) {
    const words = approvals.map((need) => `${countWords(need)}, and has ${need.given} (${askerWords(need)})`)
    return refuse('approval_required', 'id', `The transfer needs ${words.join(' and ')}. See GET /approvals.`)
  }
  return refuse('verification_required', 'id', `The transfer needs a verification. ${verificationWords(verifications)}`)
}

const OPENING = 'Money that goes to anybody but its payer is a transfer, and this one needs'

function refuseOpening({ approvals, verifications }: Lacking, { origin }: Transfer): Refusal {
  const [approval] = approvals
  if (approval) {
    const words = approvals.map((need) => `${countWords(need)} (${askerWords(need)})`)
    // What is in suspense is nobody's to pay with.
    const otherwise =
      origin?.from === 'suspense'
        ? 'or have the policy changed, so that it does not ask for this recipient.'
        : 'or pay this recipient by a contract of its own, POST /contracts/transfer.'
    const mend = `It leaves at once and cannot wait for that: give it back to its payer, ${otherwise}`
    return refuse('approval_required', 'recipient', `${OPENING} ${words.join(' and ')}. ${mend}`)
  }
  const mend =
    'It leaves at once and asks nobody: send it again once POST /verifications, by this channel and recipient, says that it passed, or give it back to its payer.'
  return refuse(
    'verification_required',
    'recipient',
    `${OPENING} a verification. ${verificationWords(verifications)} ${mend}`,
  )
}

const countWords = ({ count, role }: LackingApproval): string =>
  `${count === 1 ? 'an approval' : `${count} approvals`}${role === null ? '' : ` by members of the role ${role}`}`

const verificationWords = (lacking: readonly LackingVerification[]): string =>
  lacking.map(({ verification, name, words }) => `${verification}: ${words} (policy “${name}”)`).join(' ')
