// Verifications: asked, looked at, and ended by an answer or by a person's word. Each change is decided while the account is
// held, so that an answer and a person's word at the same moment are one after the other.
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, missing, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import { contractNotFound } from '../../engine/execute.ts'
import type { Recipient } from '../../domain/transfer/transfer.ts'
import { sentAgain } from '../../domain/verifier/codes.ts'
import {
  askedAgain,
  counts,
  decided,
  newVerification,
  type Verdict,
  type Verification,
  type VerificationKind,
  verificationNotFound,
} from '../../domain/verifier/verification.ts'
import { archivedVerifier, type Verifier, verifierNotFound } from '../../domain/verifier/verifier.ts'
import type { Row } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import type { OwnedKey } from '../../store/columns.ts'
import {
  findNewest,
  findVerification,
  insertVerifications,
  listVerifications,
  subjectOf,
  type VerificationFilter,
  verificationFrom,
} from '../../store/verifiers/verifications.ts'
import {
  findVerifier,
  listVerifiers,
  PUBLISHED_LISTS,
  publishedListFrom,
  verifierFrom,
} from '../../store/verifiers/verifiers.ts'
import { changeAccount, type Changer, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'
import { findNamed } from '../profiles/profiles.ts'
import { type EndingDeps, endVerification } from './endings.ts'

export type VerificationDeps = EndingDeps & Pick<Deps, 'channels' | 'contracts' | 'newId' | 'verifications'>

/** What is asked, and about whom: one of a contract, a profile and a recipient. */
export type WantedVerification = {
  readonly livemode: boolean
  readonly kind: VerificationKind | null
  readonly verifier: string | null
  readonly contract: string | null
  readonly profile: string | null
  readonly destination: string | null
  readonly recipient: Recipient | null
  readonly channel: string | null
}

/** A verification, and whether it was asked before: its result counts still, or it is under way. */
export type AskedVerification = { readonly verification: Verification; readonly isKnown: boolean }

/** Asks for a verification; one of the same recipient that counts still, or is under way, is the answer. */
export async function createVerification(
  deps: VerificationDeps,
  changer: Changer,
  wanted: WantedVerification,
): Promise<AskedVerification | Refusal> {
  const about = await aboutWhom(deps, changer, wanted)
  if (isRefusal(about)) return about
  const by = await byWhat(deps, changer, wanted)
  if (isRefusal(by)) return by
  const { lane, accountId } = changer
  const { kind, verifier } = by
  const subject = subjectOf(kind, about.channelId, about.recipient)
  const verifierId = verifier?.id ?? null
  const id = deps.newId(lane)
  const load = [findNewest(changer, subject, verifierId), PUBLISHED_LISTS, listVerifiers(changer)]
  const asked = await changeAccount<AskedVerification>(deps.changes, changer, load, ([found, ...lists], { nowMs }) => {
    const [known] = (found?.rows ?? []).map(verificationFrom)
    const since = kind === 'list' ? listsChangedAt(lists.map((each) => each?.rows ?? [])) : 0
    if (known && stands(known, nowMs, since)) return unchanged({ verification: known, isKnown: true })
    const own = { lane, accountId, livemode: wanted.livemode, id, kind, verifierId, subject, ...about }
    const names = { verifierName: verifier?.name ?? null, requestedBy: changer.actor.id }
    const verification = newVerification({ ...own, ...names }, nowMs)
    const statements = [insertVerifications({ kind: 'one lane', lane }, [verification])]
    return { statements, audited: [], events: [], value: { verification, isKnown: false } }
  })
  if (!isRefusal(asked) && !asked.isKnown) deps.verifications.wake(changer.lane)
  return asked
}

/** Whether there is nothing new to ask: it is under way, waits for a person, or its result counts and no list has changed. */
function stands(known: Verification, nowMs: number, listsSince: number): boolean {
  if (known.status === 'pending') return true
  return known.createdAt >= listsSince && (known.status === 'review' || counts(known, nowMs))
}

function listsChangedAt([published = [], own = []]: readonly (readonly Row[])[]): number {
  const lists = own.map(verifierFrom).filter(({ kind }) => kind === 'list')
  return Math.max(0, ...published.map((row) => publishedListFrom(row).loadedAt), ...lists.map((each) => each.changedAt))
}

type About = { readonly contractId: string | null; readonly recipient: Recipient; readonly channelId: string | null }

async function aboutWhom(
  deps: VerificationDeps,
  owner: AccountKey,
  wanted: WantedVerification,
): Promise<About | Refusal> {
  const { contract, profile, channel } = wanted
  const recipient = wanted.recipient && Object.values(wanted.recipient).some(Boolean) ? wanted.recipient : null
  const named = [contract, profile, recipient].filter((each) => each !== null)
  if (named.length !== 1)
    return refuseAll([missing('recipient', 'Give one of recipient, contract and profile: who is asked about.')])
  if (contract !== null) return ofContract(deps, owner, contract)
  if (profile !== null) return ofProfile(deps, owner, profile, wanted.destination)
  const facts = channel === null ? undefined : deps.channels.current(channel)
  if (channel !== null && !facts)
    return refuseAll([invalid('channel', `No channel has the id ${channel}. See GET /channels.`)])
  return { contractId: null, recipient: recipient as Recipient, channelId: channel }
}

async function ofContract(
  deps: VerificationDeps,
  { lane, accountId }: AccountKey,
  id: string,
): Promise<About | Refusal> {
  const contract = isUuid(id) ? await deps.contracts.submit({ lane, accountId, id }) : null
  if (contract?.kind !== 'transfer') return refuse('contract_not_found', 'contract', contractNotFound().message)
  const { recipient, channelId } = contract.terms
  if (!recipient) return refuseAll([missing('contract.recipient', 'The contract has no recipient yet. Give it one.')])
  return { contractId: id, recipient, channelId }
}

async function ofProfile(
  deps: VerificationDeps,
  owner: AccountKey,
  id: string,
  destinationId: string | null,
): Promise<About | Refusal> {
  const found = await findNamed(deps, owner, id)
  if (isRefusal(found)) return refuse('profile_not_found', 'profile', found.message)
  if (found.relation === 'payer')
    return refuse('profile_not_found', 'profile', 'Of a payer nothing but a name is known.')
  const { profile } = found
  const used = profile.destinations.filter(({ status }) => status === 'active')
  const destination = used.find((each) => (destinationId === null ? each.isDefault : each.id === destinationId))
  if (!destination)
    return refuse(
      'destination_not_found',
      'destination',
      'The profile has no such destination in use. See GET /profiles/{id}.',
    )
  const { name, email, mobile, address, country } = profile
  const said = Object.entries(destination.recipient).filter(([, value]) => value !== null)
  const recipient = { ...destination.recipient, name, email, mobile, address, country, ...Object.fromEntries(said) }
  return { contractId: null, recipient, channelId: destination.channelId }
}

type By = { readonly kind: VerificationKind; readonly verifier: Verifier | null }

async function byWhat(
  deps: VerificationDeps,
  owner: AccountKey,
  { kind, verifier: id }: WantedVerification,
): Promise<By | Refusal> {
  if ((kind === null) === (id === null))
    return refuseAll([missing('kind', 'Give kind, or a verifier of your own; not both.')])
  if (kind !== null) return { kind, verifier: null }
  const [found] = isUuid(id ?? '') ? await deps.reader.send([findVerifier({ ...owner, id: id ?? '' })]) : []
  const [verifier] = (found?.rows ?? []).map(verifierFrom)
  if (!verifier) return { ...verifierNotFound(), param: 'verifier' }
  return verifier.status === 'archived' ? archivedVerifier() : { kind: verifier.kind, verifier }
}

export async function oneVerification(
  { reader }: Pick<Deps, 'reader'>,
  key: OwnedKey,
): Promise<Verification | Refusal> {
  const [found] = isUuid(key.id) ? await reader.send([findVerification(key)]) : []
  const [verification] = (found?.rows ?? []).map(verificationFrom)
  return verification ?? verificationNotFound()
}

/** Newest first, one more than the limit. */
export async function verificationsOf(
  { reader }: Pick<Deps, 'reader'>,
  owner: AccountKey,
  filter: VerificationFilter,
): Promise<Verification[]> {
  const [found] = await reader.send([listVerifications(owner, filter)])
  return (found?.rows ?? []).map(verificationFrom)
}

/** A member's word ends a review; never that of whoever asked for it or made the contract, by a key of theirs included. */
export function decideVerification(
  deps: EndingDeps,
  changer: Changer,
  id: string,
  verdict: Verdict,
): Promise<Verification | Refusal> {
  return endVerification(deps, changer, id, {
    next: (before, nowMs) => decided(before, verdict, nowMs),
    by: changer.actor,
  })
}

const again = (before: Verification, nowMs: number) =>
  before.kind === 'otp' && before.status === 'pending' ? sentAgain(before, nowMs) : askedAgain(before, nowMs)

/** Asks again where there was no answer, or has a code sent again. */
export async function retryVerification(
  deps: VerificationDeps,
  changer: Changer,
  id: string,
): Promise<Verification | Refusal> {
  const after = await endVerification(deps, changer, id, { next: again, by: null })
  if (!isRefusal(after)) deps.verifications.wake(changer.lane)
  return after
}
