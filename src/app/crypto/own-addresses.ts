// Addresses of this gateway, to which no money goes back: it would come in again as a payment and go round, and each round costs gas.
// A transfer may go to one, for it pays a payment contract.
import type { ChannelBook } from '../../domain/channel/channel.ts'
import type { PayerPlace, PaymentMethod } from '../../domain/channel/collection.ts'
import { invalid, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import type { Session } from '../../platform/db.ts'
import { findOwnAddress } from '../../store/crypto/chain-addresses.ts'

export async function isOwnAddress(session: Session, network: string, address: string): Promise<boolean> {
  const [found] = await session.send([findOwnAddress(network, address)])
  return found?.rows[0]?.['is_own'] === true
}

type OwnAddressDeps = { readonly reader: Session; readonly channels: ChannelBook }

/** Refuses a payer's choice whose money would go back to the gateway itself; `param` is where the address stands in the request. */
export async function refuseOwnRefundAddress(
  { reader }: Pick<OwnAddressDeps, 'reader'>,
  { kind, details }: PaymentMethod,
  param: `${string}refund_address`,
): Promise<Refusal | null> {
  const { network, refund_address: address } = details
  if (kind !== 'crypto' || network === undefined || address === undefined) return null
  return (await isOwnAddress(reader, network, address)) ? refuseOwn(param) : null
}

/** Refuses a place for a refund or return that is on a chain and the gateway's own. */
export async function refuseOwnPlace(
  { reader, channels }: OwnAddressDeps,
  { channelId, recipient }: PayerPlace,
): Promise<Refusal | null> {
  const asset = channels.current(channelId)?.asset
  const { wallet } = recipient
  if (!asset || wallet === undefined) return null
  return (await isOwnAddress(reader, asset.network, wallet)) ? refuseOwn('recipient.wallet') : null
}

const refuseOwn = (param: string) =>
  refuseAll([invalid(param, `${param} is an address of this gateway. Give one of the payer's own wallet.`)])
