// The payer of a paid contract becomes a profile on request: the profile first, under an id that follows from the contract's, so
// that a request that was broken off in between goes on where it ended; then the contract names it.
import { isUuid, payerProfileId } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import type { Payment } from '../../domain/payment/payment.ts'
import { payerOf } from '../../domain/profile/payer.ts'
import type { Profile } from '../../domain/profile/profile.ts'
import type { NamedProfile } from '../../domain/transfer/transfer.ts'
import type { ContractResult, ReplayedRefusal } from '../../engine/command-request.ts'
import { findPayer, payerFrom } from '../../store/profiles/payers.ts'
import { findProfileVersion, profileFrom } from '../../store/profiles/profiles.ts'
import { changeAccount, type Changer, unchanged } from '../accounts/changes.ts'
import type { Caller } from '../accounts/callers.ts'
import type { Deps } from '../deps.ts'
import type { Requester } from '../payments/payments.ts'
import { loadedFrom, loadOne, written } from './changes.ts'
import { profilesNamed } from './named.ts'

/** Who asks: as the requester of a command, and as one who changes the account. */
type Asking = { readonly caller: Caller; readonly requester: Requester; readonly changer: Changer }

/** Names the payer of a paid contract: as the profile that is asked for, or as a new one of what the rail told. */
export async function namePayer(
  deps: Deps,
  asking: Asking,
  contractId: string,
  profileId: string | null,
): Promise<ContractResult | Refusal | ReplayedRefusal> {
  const { lane, accountId } = asking.caller
  const found = isUuid(contractId) ? await deps.contracts.submit({ lane, accountId, id: contractId }) : undefined
  const payment = found?.kind === 'payment' ? found : null
  const profile =
    profileId === null
      ? await payerProfile(deps, asking, payment, contractId)
      : await knownProfile(deps, asking, profileId)
  if (isRefusal(profile)) return profile
  return deps.execute({ ...asking.requester, command: { verb: 'name_payer', id: contractId, profile } })
}

async function knownProfile(deps: Deps, { caller }: Asking, id: string): Promise<NamedProfile | Refusal> {
  const profile = (await profilesNamed(deps, caller, { recipient: { profile: id } }))?.get(id)
  if (profile) return { profile: profile.id, profileVersion: profile.version }
  const fix = 'Send the id of one (GET /profiles), or none to have one made of what the rail told.'
  return refuseAll([invalid('profile', `profile: No profile of yours that is in use has this id. ${fix}`)])
}

/** The profile of the payer: the one that the contract names, the one that an earlier request made, or a new one. */
async function payerProfile(
  deps: Deps,
  { changer, requester }: Asking,
  payment: Payment | null,
  contractId: string,
): Promise<NamedProfile | Refusal> {
  if (payment?.payerProfile) return payment.payerProfile
  const first = { profile: payerProfileId(contractId), profileVersion: 1 }
  const isAsExpected = !requester.versions || (payment !== null && requester.versions.includes(payment.version))
  // What cannot be named is refused by the command itself, for which nothing is made.
  if (!payment || payment.paidAt === null || !isAsExpected) return first
  const accountName = await nameOfPayingAccount(deps, payment)
  const { lane, accountId } = changer
  const key = { lane, accountId, id: first.profile }
  const destinationId = deps.newId(lane)
  const made = await changeAccount<Profile>(deps.changes, changer, loadOne(key), (loaded, { nowMs }) => {
    const { profile: before, owner } = loadedFrom(key, loaded)
    if (before) return unchanged(before)
    const profile = payerOf(payment, { id: first.profile, destinationId, accountName }, deps.channels, nowMs)
    return isRefusal(profile) ? profile : written(null, profile, 'created', owner)
  })
  return isRefusal(made) ? made : first
}

/** Under which name another account of this gateway paid, if it did. */
async function nameOfPayingAccount(
  deps: Deps,
  { lane, accountId, attempts, paidAttempt }: Payment,
): Promise<string | null> {
  const attempt = attempts.find(({ number }) => number === paidAttempt)
  const id = attempt?.details['payer_profile']
  if (id === undefined) return null
  const [found] = await deps.reader.send([findPayer({ lane, accountId, id })])
  const [payer] = (found?.rows ?? []).map(payerFrom)
  return payer?.name ?? null
}

/** The profile as a contract names it. */
export async function profileAt(
  { reader }: Pick<Deps, 'reader'>,
  { lane, accountId }: Caller,
  named: NamedProfile,
): Promise<Profile> {
  const [found] = await reader.send([findProfileVersion({ lane, accountId, id: named.profile }, named.profileVersion)])
  const [profile] = (found?.rows ?? []).map(profileFrom)
  if (!profile) throw new Error('a contract names a profile that is not there')
  return profile
}
