// Who a wallet of this gateway belongs to, checked against what a draft says, so that the preview shows it before
// anybody pays. Pure; the facts are looked up before the draft is written, for most of them never change.
import { modeWord } from '../channel/modes.ts'
import type { ChannelFacts } from '../channel/channel.ts'
import { isUuid } from '../contract/ids.ts'
import type { WalletStatus } from '../wallet/wallet.ts'
import { lettersOf } from '../text/texts.ts'
import type { Message, Terms, Transfer } from './transfer.ts'

/** A wallet that a draft names, and its owner; null where no wallet has the id. */
export type Payee = {
  readonly walletId: string
  readonly owner: {
    readonly accountId: string
    readonly livemode: boolean
    readonly currency: string
    readonly status: WalletStatus
    readonly name: string
  } | null
}

/** Whether what the channel pays are wallets of this gateway. */
export function paysWallets({ collect }: ChannelFacts): boolean {
  return collect?.kind === 'wallet'
}

/** Nothing is decided before this wallet is looked up: whoever asks does so, and asks again. */
export type LookAgain = { readonly kind: 'look_again'; readonly walletId: string }

export function isLookAgain(value: unknown): value is LookAgain {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'look_again'
}

/**
 * The wallet that is to be paid, where it is not the one that was looked up: no lock is held meanwhile, so that a change beside this
 * one may have named another wallet, or a channel that pays one. Null where nothing has to be known.
 */
export function notLookedUp(
  recipient: Terms['recipient'],
  channel: ChannelFacts | null,
  payee: Payee | undefined,
): LookAgain | null {
  const walletId = recipient?.wallet ?? null
  if (!channel || !paysWallets(channel) || walletId === null || !isUuid(walletId)) return null
  return payee?.walletId === walletId ? null : { kind: 'look_again', walletId }
}

type Draft = Pick<Transfer, 'livemode'>

/** What is wrong with the wallet that a draft is to pay, each with how to fix it; nothing where it was not looked up. */
export function payeeFaults(
  { currency, recipient }: Pick<Terms, 'currency' | 'recipient'>,
  { livemode }: Draft,
  channel: ChannelFacts | null,
  payee: Payee | undefined,
): readonly Message[] {
  if (!channel || !paysWallets(channel) || !payee || payee.walletId !== recipient?.wallet) return NONE
  const { owner } = payee
  // A wallet of the other mode is reported like one that does not exist.
  if (!owner || owner.livemode !== livemode)
    return [
      fault(
        'wallet',
        `No wallet has this id. Give the id of a ${modeWord(livemode)} wallet (GET /wallets of its owner).`,
      ),
    ]
  if (owner.status === 'closed')
    return [fault('wallet', 'This wallet is closed and takes no money. Give the id of another one.')]
  const faults: Message[] = []
  if (owner.currency !== currency)
    faults.push(fault('wallet', `This wallet does not hold ${currency}. Ask its owner for the id of one that does.`))
  const { name } = recipient
  if (name !== null && !isSameName(name, owner.name))
    faults.push(
      fault('name', 'This does not match the name of the wallet’s owner. Ask the owner, or leave the name out.'),
    )
  return faults
}

const NONE: readonly Message[] = []

const fault = (field: 'wallet' | 'name', words: string): Message => ({
  code: `invalid_recipient_${field}`,
  type: 'error',
  message: `recipient.${field}: ${words}`,
})

/** What was found for the terms before still holds for terms that pay the same wallet in the same words. */
export function paysTheSame(before: Terms, after: Terms): boolean {
  const isSameRecipient =
    before.recipient?.wallet === after.recipient?.wallet && before.recipient?.name === after.recipient?.name
  return isSameRecipient && before.channelId === after.channelId && before.currency === after.currency
}

function isSameName(a: string, b: string): boolean {
  const [one, two] = [lettersOf(a), lettersOf(b)]
  return one !== '' && one === two
}
