// Asks what a verification is about: the channel whose account it is, the forms of numbers and addresses, the lists. Nothing here
// throws for what the other side does: doubt is no answer, and no answer is asked again.
import { namesAccounts, inspectsAddresses, type Connector } from '../../connectors/connector.ts'
import type { ChannelBook } from '../../domain/channel/channel.ts'
import { payableAddress } from '../../domain/text/evm-address.ts'
import { mobileNumber } from '../../domain/text/mobile.ts'
import { paysWallets } from '../../domain/transfer/payees.ts'
import { isComparable, masked, matchOf, nameScore, THRESHOLDS } from '../../domain/verifier/names.ts'
import { askedOf, type Finding, type Verification } from '../../domain/verifier/verification.ts'
import type { Session } from '../../platform/db.ts'
import { findPayee } from '../transfers/payees.ts'
import { type CallingDeps, calledFinding } from './calling.ts'
import type { Screening } from './screening.ts'

export type AskingDeps = CallingDeps & {
  readonly reader: Session
  readonly channels: Pick<ChannelBook, 'current'>
  readonly connectors: ReadonlyMap<string, Connector>
  readonly screening: Screening
}

/** What the verifier of the kind answers. It is shown nothing that the subject of the question lacks. */
export async function findingFor(deps: AskingDeps, asked: Verification): Promise<Finding> {
  const verification = askedOf(asked)
  switch (verification.kind) {
    case 'name':
      return nameFinding(deps, verification)
    case 'mobile':
      return mobileFinding(deps, verification)
    case 'chain_address':
      return addressFinding(deps, verification)
    case 'list':
      return listFinding(deps, verification)
    case 'http':
      return calledFinding(deps, verification)
    case 'otp':
      throw new Error('a code is sent, and answered by whoever got it')
  }
}

/** Whose account it is, by whoever keeps it. */
type Holder =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'no_account' }
  | { readonly kind: 'no_answer'; readonly reason: string }
  /** Nobody can be asked. */
  | { readonly kind: 'not_told' }

async function holderOf(deps: AskingDeps, { channelId, recipient, livemode }: Verification): Promise<Holder> {
  const channel = channelId === null ? undefined : deps.channels.current(channelId)
  if (!channel) return { kind: 'not_told' }
  if (paysWallets(channel)) {
    const payee = await findPayee(deps, recipient.wallet ?? '')
    // A wallet of the other mode is told like one that does not exist.
    if (!payee?.owner || payee.owner.livemode !== livemode) return { kind: 'no_account' }
    return { kind: 'named', name: payee.owner.name }
  }
  const connector = deps.connectors.get(channel.id)
  return connector && namesAccounts(connector) ? connector.nameOf({ ...recipient }) : { kind: 'not_told' }
}

const UNTOLD = 'This channel does not tell whose account it is. A person decides.'

async function nameFinding(deps: AskingDeps, verification: Verification): Promise<Finding> {
  const { recipient, channelId: channel } = verification
  if (recipient.name === null) return { status: 'fail', evidence: {}, reason: 'The recipient has no name to compare.' }
  const holder = await holderOf(deps, verification)
  switch (holder.kind) {
    case 'no_answer':
      return { status: 'unavailable', reason: holder.reason }
    case 'not_told':
      return { status: 'review', evidence: { channel }, reason: UNTOLD }
    case 'no_account':
      return { status: 'fail', match: 'no_match', evidence: { channel }, reason: 'The channel knows no such account.' }
    case 'named':
      return compared(recipient.name, holder.name, channel)
  }
}

/** Of an account that is somebody else's no more is told than initials. */
function compared(given: string, registered: string, channel: string | null): Finding {
  const score = nameScore(given, registered)
  const match = matchOf(score, THRESHOLDS)
  const shown = match === 'no_match' ? masked(registered) : registered
  const found = { match, score, evidence: { channel, registered: shown } }
  switch (match) {
    case 'match':
      return { status: 'pass', ...found, reason: 'The account is in that name.' }
    case 'close':
      return { status: 'review', ...found, reason: `The account is in a name like it: ${shown}. A person decides.` }
    case 'no_match':
      return { status: 'fail', ...found, reason: `The account is in another name: ${shown}.` }
  }
}

/**
 * A move between wallets of one account names nobody, and it is the account itself that is paid. The name of another account is not
 * looked for: who makes a list could read from its hits whose wallet it is.
 */
async function listFinding(deps: AskingDeps, verification: Verification): Promise<Finding> {
  const { recipient, channelId, accountId, livemode } = verification
  const channel = channelId === null ? undefined : deps.channels.current(channelId)
  if (isComparable(recipient.name) || !channel || !paysWallets(channel)) return deps.screening(verification)
  const owner = (await findPayee(deps, recipient.wallet ?? ''))?.owner
  if (owner?.accountId !== accountId || owner.livemode !== livemode) return deps.screening(verification)
  return deps.screening({ ...verification, recipient: { ...recipient, name: owner.name } })
}

async function mobileFinding(deps: AskingDeps, verification: Verification): Promise<Finding> {
  const { recipient } = verification
  const number = mobileNumber(recipient.mobile ?? recipient.wallet ?? '')
  if (number === null) return { status: 'fail', evidence: {}, reason: 'This is no mobile number.' }
  const isPhilippine = number.startsWith('+63')
  const evidence = { ending: number.slice(-4), country: isPhilippine ? 'PH' : null }
  if (isPhilippine && !/^\+639\d{9}$/.test(number))
    return { status: 'fail', evidence, reason: 'Mobile numbers of the Philippines are +639 and nine digits.' }
  if (recipient.country === 'PH' && !isPhilippine)
    return {
      status: 'review',
      evidence,
      reason: 'The number is of another country than the recipient. A person decides.',
    }
  const holder = await holderOf(deps, verification)
  if (holder.kind === 'no_answer') return { status: 'unavailable', reason: holder.reason }
  if (holder.kind === 'no_account') return { status: 'fail', evidence, reason: 'The channel knows no such number.' }
  const isKnown = holder.kind === 'named'
  const reason = isKnown ? 'The number is well formed, and the channel knows it.' : 'The number is well formed.'
  return { status: 'pass', evidence: { ...evidence, known_to_channel: isKnown }, reason }
}

async function addressFinding(deps: AskingDeps, { channelId, recipient }: Verification): Promise<Finding> {
  const channel = channelId === null ? undefined : deps.channels.current(channelId)
  const rule = channel?.recipient.find(({ format }) => format === 'evm_address')
  if (!channel || !rule) return { status: 'fail', evidence: {}, reason: 'The channel pays no address of a chain.' }
  const evidence = { channel: channel.id, ending: (recipient.wallet ?? '').slice(-4) }
  const address = payableAddress(recipient.wallet ?? '', [])
  if ('fault' in address) return { status: 'fail', evidence, reason: address.fault }
  const fault = rule.check?.(address.address)
  if (fault) return { status: 'fail', evidence, reason: fault }
  const connector = deps.connectors.get(channel.id)
  if (!connector || !inspectsAddresses(connector))
    return { status: 'pass', evidence, reason: 'The address is well formed. The chain was not asked.' }
  const what = await connector.holderKind(address.address)
  if (what === 'no_answer') return { status: 'unavailable', reason: 'The node of the chain gave no plain answer.' }
  const found = { ...evidence, is_contract: what === 'contract' }
  return what === 'contract'
    ? {
        status: 'review',
        evidence: found,
        reason: 'The address is a contract, which may not give money on. A person decides.',
      }
    : { status: 'pass', evidence: found, reason: 'The address is well formed, and no contract.' }
}
