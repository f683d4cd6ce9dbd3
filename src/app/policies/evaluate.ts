// What policies would say of a transfer at a moment: judged by the code that judges a payment, on the same rows, and nothing is
// written. What others do at the same time is seen as far as it is committed.
import { approvingRole } from '../../domain/account/roles.ts'
import { previewOf } from '../../domain/contract/preview.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { circumstancesOf, metersOf, type Payer } from '../../domain/policy/circumstances.ts'
import type { FeePrice } from '../../domain/policy/fees.ts'
import { judge, type VerificationNeed } from '../../domain/policy/judge.ts'
import { isKept, looksAt, volumeMeter } from '../../domain/policy/look.ts'
import type { Meter } from '../../domain/policy/meters.ts'
import type { Policy } from '../../domain/policy/policy.ts'
import { lackingApprovals } from '../../domain/policy/requirements.ts'
import { makersOf } from '../../domain/transfer/approvals.ts'
import type { Terms, Transfer } from '../../domain/transfer/transfer.ts'
import {
  answererOf,
  isWordOf,
  NO_VERIFIERS,
  NOBODY,
  type Standing,
  standingOf,
} from '../../domain/verifier/standing.ts'
import { memberBehind, noChecks, readMakers } from '../../engine/approvals.ts'
import { loadNamedWallets, walletFrom } from '../../ledger/wallets.ts'
import { clockIn } from '../../platform/days.ts'
import { linesFrom, linesOfKeys } from '../../store/accounts/key-lines.ts'
import { findOwnAccount, ownAccountFrom } from '../../store/accounts/settings.ts'
import { makersOfKeys } from '../../store/contracts/approvals.ts'
import { CLOCK, databaseTimeFrom } from '../../store/contracts/expiry.ts'
import { rolesOfMembers } from '../../store/policies/approvers.ts'
import { loadMeters, meterFrom, meterId } from '../../store/policies/meters.ts'
import { policyFrom } from '../../store/policies/policies.ts'
import { listActivePolicies } from '../../store/policies/written.ts'
import { findProfileVersion, profileFrom } from '../../store/profiles/profiles.ts'
import {
  newestVerifications,
  subjectOf,
  verificationFrom,
  verifiersFrom,
  verifiersInForce,
} from '../../store/verifiers/verifications.ts'
import { termsHashOf } from '../../wire/contracts/approval.ts'
import type { Verdict } from '../../wire/policies/evaluation.ts'
import type { Caller } from '../accounts/callers.ts'
import type { Deps } from '../deps.ts'
import { approvalsAsked, askingMandateOf } from './mandated.ts'

/** What is tried: policies and a transfer, by whom, from which wallet, when. */
export type Trial = {
  /** Each as if it were active; null for all that are, and for the mandate of the key that pays. */
  readonly policies: readonly Policy[] | null
  readonly terms: Terms
  /** The contract whose terms they are; null for a draft that is not saved. */
  readonly contract: Transfer | null
  readonly payer: Omit<Payer, 'keyLine'>
  readonly atMs: number | null
}

export async function evaluate(
  { reader, channels }: Pick<Deps, 'reader' | 'channels'>,
  { lane, accountId }: Pick<Caller, 'lane' | 'accountId'>,
  { policies: named, terms, contract, payer: asked, atMs }: Trial,
): Promise<Verdict | Refusal> {
  const scope = { kind: 'one lane', lane } as const
  const owner = { lane, accountId }
  const { keyId } = asked
  const [clock, accounts, active, wallets, lines] = await reader.send([
    CLOCK,
    findOwnAccount(owner),
    listActivePolicies(owner),
    loadNamedWallets(scope, [{ ...owner, walletId: asked.walletId }]),
    linesOfKeys(scope, keyId === null ? [] : [{ ...owner, keyId }]),
  ])
  const [account] = (accounts?.rows ?? []).map(ownAccountFrom)
  if (!account) throw new Error('a caller without its account')
  const wallet = (wallets?.rows ?? [])
    .map(walletFrom)
    .find(({ id, isDefault, currency }) =>
      asked.walletId === null ? isDefault && currency === terms.currency : id === asked.walletId,
    )
  if (!wallet && asked.walletId !== null)
    return refuse('wallet_not_found', 'source', 'No wallet of yours has this id. GET /wallets lists them.')
  const keyLine = (keyId && linesFrom(lines?.rows ?? []).get(keyId)) || null
  const payer = { ...asked, keyLine, walletId: wallet?.id ?? null }
  const inForce = (active?.rows ?? []).map(policyFrom)
  const looked = await lookedAt({ reader }, owner, { terms, payer, contract })
  const nowMs = atMs ?? databaseTimeFrom(clock)
  const moment = { nowMs, local: clockIn(nowMs, account.timeZone) }
  const about = circumstancesOf({ terms }, payer, moment, looked.destinationSince, looked.meterOf)
  const policies = named?.map((policy) => ({ ...policy, status: 'active' as const })) ?? inForce
  const judged = judge(policies, about)
  const asking = named === null ? await askingMandateOf({ reader }, owner, payer.keyId) : null
  const debitMinor = contract?.debitMinor ?? debitOf(terms, judged.fees, channels)
  const approvals = [...judged.approvals, ...approvalsAsked(asking, terms, debitMinor, nowMs)]
  const judgement = { ...judged, approvals }
  const given = judgement.approvals.map((need) => {
    const [lacking] = contract
      ? lackingApprovals([need], looked.given, looked.termsHash, looked.roleOf)
      : [{ given: 0 }]
    return lacking?.given ?? need.count
  })
  const makers = judgement.verifications.length === 0 ? NONE : await makersIf({ reader }, owner, contract, payer)
  const verified = await howVerified({ reader }, owner, { terms, needs: judgement.verifications, nowMs, makers })
  const tried = judgement.fees && triedPrice(judgement.fees, terms, channels)
  return { judgement, currency: terms.currency, atMs: nowMs, given, verified, tried, notes: notesOn(policies, inForce) }
}

/** What a draft would take from the wallet, fee included, by the channel as it stands. */
function debitOf(terms: Terms, price: FeePrice | null, channels: Deps['channels']): bigint {
  const channel = terms.channelId === null ? undefined : channels.current(terms.channelId)
  return previewOf(terms, channel ?? null, [], price).debitMinor
}

/** Of the channel as it stands: a draft that is written now is priced by it. */
function triedPrice(price: FeePrice, { channelId, currency, amountMinor }: Terms, channels: Deps['channels']) {
  const channel = channelId === null ? undefined : channels.current(channelId)
  const own = channel?.terms.get(currency)?.fees ?? null
  return { price, own, covered: channel?.covered ?? false, amountMinor }
}

/** The meters, the destination and the approvers that the circumstances are made of. */
async function lookedAt(
  { reader }: Pick<Deps, 'reader'>,
  owner: { readonly lane: number; readonly accountId: string },
  { terms, payer, contract }: Pick<Trial, 'terms' | 'contract'> & { readonly payer: Payer },
) {
  const scope = { kind: 'one lane', lane: owner.lane } as const
  const used = terms.recipientProfile ?? null
  const given = contract?.requirements?.given ?? []
  const members = [...new Set(given.map(({ memberId }) => memberId))]
  const names = metersOf({ terms }, payer).map((name) => ({ ...owner, meter: meterId(name) }))
  const [stored, roleRows, versions] = await reader.send([
    loadMeters(scope, names),
    rolesOfMembers(
      scope,
      members.map((id) => ({ ...owner, id })),
    ),
    ...(used ? [findProfileVersion({ ...owner, id: used.profile }, used.profileVersion)] : []),
  ])
  const meters = new Map<string, Meter>((stored?.rows ?? []).map(meterFrom).map(({ meter, steps }) => [meter, steps]))
  const roles = new Map((roleRows?.rows ?? []).map((row) => [row['id'] as string, row['role'] as string]))
  const [profile] = (versions?.rows ?? []).map(profileFrom)
  const destination = profile?.destinations.find(({ id }) => id === used?.destination)
  return {
    meterOf: (name: Parameters<typeof meterId>[0]) => meters.get(meterId(name)),
    destinationSince: destination?.changedAt ?? null,
    given,
    termsHash: contract ? termsHashOf(contract) : '',
    roleOf: (memberId: string) => approvingRole(roles.get(memberId)),
  }
}

const NONE: ReadonlySet<string> = new Set()

/** Who will have made the contract once it is paid: whoever did so far, and whoever pays where it is not issued yet. */
async function makersIf(
  { reader }: Pick<Deps, 'reader'>,
  owner: { readonly lane: number; readonly accountId: string },
  contract: Transfer | null,
  { keyId, memberId }: Pick<Payer, 'keyId' | 'memberId'>,
): Promise<ReadonlySet<string>> {
  const [found] = await reader.send([makersOfKeys({ kind: 'one lane', lane: owner.lane }, [owner])])
  const checks = noChecks()
  readMakers(checks, found?.rows ?? [])
  const personBehind = memberBehind(checks, owner.accountId)
  const payer = memberId ?? keyId
  const isStillToIssue = contract === null || contract.status === 'draft'
  const issuer = isStillToIssue && payer !== null ? [personBehind(payer)] : []
  return new Set([...(contract ? makersOf(contract, { memberBehind: personBehind }) : []), ...issuer])
}

/** How each verification that is asked for stands about this very recipient, as when it is paid; nobody is asked here. */
async function howVerified(
  { reader }: Pick<Deps, 'reader'>,
  owner: { readonly lane: number; readonly accountId: string },
  {
    terms,
    needs,
    nowMs,
    makers,
  }: {
    readonly terms: Terms
    readonly needs: readonly VerificationNeed[]
    readonly nowMs: number
    readonly makers: ReadonlySet<string>
  },
): Promise<Standing[]> {
  const { recipient, channelId } = terms
  if (needs.length === 0) return []
  if (!recipient) return needs.map(() => NOBODY)
  const scope = { kind: 'one lane', lane: owner.lane } as const
  const subjects = needs.map(({ verification }) => ({
    ...owner,
    subject: subjectOf(verification, channelId, recipient),
  }))
  const [newest, inForce] = await reader.send([newestVerifications(scope, subjects), verifiersInForce(scope, [owner])])
  const all = (newest?.rows ?? []).map(verificationFrom)
  const [verifiers = NO_VERIFIERS] = (inForce?.rows ?? []).map(verifiersFrom)
  return needs.map((need, place) => {
    const answerer = answererOf(need, verifiers)
    if (!answerer) return NOBODY
    const { subject } = subjects[place] ?? {}
    const found = all.find((each) => each.subject === subject && each.verifierId === answerer.verifierId)
    return standingOf(found && isWordOf(makers, found) ? undefined : found, nowMs, verifiers.listsAt)
  })
}

/** A trial reads the meters that are kept, which are those that active policies look at. */
function notesOn(policies: readonly Policy[], inForce: readonly Policy[]): string[] {
  const isCounted = isKept(inForce)
  const uncounted = policies.some(
    (policy) =>
      (looksAt([policy]).volumes ?? []).some((volume) => !isCounted(volumeMeter(volume))) ||
      policy.when.some((condition) => {
        const name = { subject: '', currency: null }
        if (condition.field === 'sum') return !isCounted({ ...name, ...condition })
        if (condition.field === 'count') return !isCounted({ ...name, by: condition.by, span: condition.span })
        return condition.field === 'recipient.new' && !isCounted({ ...name, by: 'recipient', span: 'ever' })
      }),
  )
  const words =
    'No active policy counts this yet: this trial does not know what was paid before. Once it is active it does; POST /policies/rehearse shows it.'
  return uncounted ? [words] : []
}

/** The transfer contract that is tried. */
export async function contractToTry(
  { contracts }: Pick<Deps, 'contracts'>,
  { lane, accountId }: Caller,
  id: string,
): Promise<Transfer | Refusal> {
  const found = await contracts.submit({ lane, accountId, id })
  if (found?.kind === 'transfer') return found
  return refuse('contract_not_found', 'contract_id', 'No transfer contract of yours has this id.')
}
