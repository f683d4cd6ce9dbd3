// A payment contract on the wire: the members of a transfer contract (spec 2.1), and what a payer and a merchant need beside.
import { LRUCache } from 'lru-cache'
import Type, { type Static } from 'typebox'
import { type ChannelFacts, inbound } from '../domain/channel/channel.ts'
import type { NextAction } from '../domain/channel/collection.ts'
import { PAYMENT_KINDS } from '../domain/payment/kinds.ts'
import type { Preview } from '../domain/contract/preview.ts'
import { majorNumber } from '../domain/money/money.ts'
import { assetDue } from '../domain/money/quotes.ts'
import { PAYMENT_STATUSES } from '../domain/payment/moves.ts'
import {
  currentAttempt,
  type PaymentRefund as DomainRefund,
  isLiveAttempt,
  type Payment,
  PAYMENT_ATTEMPT_STATUSES,
  type PaymentAttempt,
} from '../domain/payment/payment.ts'
import { qrSvg } from '../formats/qr-image.ts'
import { type Owners, presentNamed, presentShared, sharedContractFields } from './contract.ts'
import { type OwnersPreview, presentContractChannel, presentPreview } from './contract-channel.ts'
import {
  envelope,
  forOwners,
  nullable,
  nullableText,
  nullableTime,
  type Owned,
  tagged,
  time,
  uuid,
  type Wire,
  Currency,
} from './shapes.ts'
import { iso, isoOrNull } from './times.ts'
import type { Presenter } from './transfer.ts'

const svg = Type.String({ description: 'The code as an image.' })

/** What the payer does next: go somewhere, show a code, or send an asset to an address. */
const ACTIONS = {
  redirect: Type.Object(
    { type: Type.Enum(['redirect']), url: Type.String({ format: 'uri' }), expires_at: nullableTime },
    { $id: 'RedirectAction' },
  ),
  display_qr: Type.Object(
    {
      type: Type.Enum(['display_qr']),
      data: Type.String({ description: 'The whole text of the code.' }),
      svg,
      expires_at: nullableTime,
    },
    { $id: 'QrAction' },
  ),
  display_address: Type.Object(
    {
      type: Type.Enum(['display_address']),
      address: Type.String(),
      amount: Type.String({ description: 'Whole units of the asset, as decimal text.' }),
      asset: Type.String(),
      network: Type.String(),
      uri: Type.String({ description: 'EIP-681.' }),
      svg,
      confirmations: Type.Integer(),
      expires_at: nullableTime,
    },
    { $id: 'AddressAction' },
  ),
} as const
/** As a reader sees it who has not looked at the type. */
type AnyAction = Static<(typeof ACTIONS)[keyof typeof ACTIONS]>
type Shown = { type: AnyAction['type'] } & Partial<
  Omit<Static<typeof ACTIONS.display_address>, 'type' | 'expires_at'>
> & {
    url?: string
    data?: string
    expires_at: string | null
  }
const Action = Type.Unsafe<Shown>(
  tagged('type', ACTIONS, { $id: 'NextAction', description: 'What the payer does next.' }),
)

const Attempt = Type.Object(
  {
    number: Type.Integer(),
    type: Type.Enum([...PAYMENT_KINDS]),
    channel: Type.String(),
    reference: forOwners(Type.String({ description: 'What the rail knows the attempt by.' })),
    status: Type.Enum([...PAYMENT_ATTEMPT_STATUSES]),
    amount: Type.Number({ description: 'What the payer is to pay.' }),
    fee: forOwners(Type.Number()),
    provider_id: nullableText,
    details: Type.Record(Type.String(), Type.String(), {
      description:
        'What may be shown of the means of payment: mobile, brand, last4, expiry, asset, network, confirmations.',
    }),
    failure: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    created_at: time('When.'),
  },
  { $id: 'PaymentAttempt' },
)

const PaymentRefund = Type.Object({
  transfer_id: forOwners(uuid('The transfer contract that gives it back.')),
  from: Type.Enum(['payment', 'suspense']),
  amount: Type.Number(),
  currency: Currency,
  status: Type.Enum(['open', 'done', 'failed']),
  created_at: time('When.'),
})

export const PaymentContract = Type.Object(
  {
    ...sharedContractFields,
    kind: Type.Enum(['payment']),
    status: Type.Enum([...PAYMENT_STATUSES], { $id: 'PaymentStatus' }),
    attempts: Type.Array(Attempt),
    next_action: nullable(Action),
    amount_received: Type.Number({ description: 'All that ever arrived in the currency of the contract.' }),
    amount_in_suspense: Type.Number({ description: 'What of it fits no contract and waits to go back.' }),
    amount_refunded: Type.Number(),
    settles_at: nullableTime,
    completed_at: nullableTime,
    refunds: Type.Array(PaymentRefund),
    payer_profile: nullable(
      Type.Object(
        { profile: uuid('The profile.'), profile_version: Type.Integer() },
        { description: 'The payer, where it was saved: POST …/payer-profile.' },
      ),
    ),
    return_url: nullableText,
    checkout_url: forOwners(Type.String({ description: 'The payer’s page. Whoever has it may pay.' })),
  },
  { $id: 'PaymentContract' },
)

const data = { contract: PaymentContract }

export const PaymentReply = envelope('number', Type.Object(data))

export const PaymentsReply = envelope(
  'number',
  Type.Object({ contracts: Type.Array(PaymentContract), next: nullableText }),
)

type OwnersAttempt = Owned<Wire<typeof Attempt>, 'reference' | 'fee'>
type OwnersRefund = Owned<Wire<typeof PaymentRefund>, 'transfer_id'>

/** As the account's own key sees it. */
export type OwnersPayment = Omit<
  Owned<Owners<Wire<typeof PaymentContract>>, 'checkout_url'>,
  'attempts' | 'refunds' | 'next_action'
> & {
  readonly attempts: readonly OwnersAttempt[]
  readonly refunds: readonly OwnersRefund[]
  readonly next_action: Step | null
}

/** The payment contract as every reply and event shows it. `profileId` is its account's. */
export function presentPayment(presenter: Presenter, payment: Payment, profileId: string): OwnersPayment {
  const { terms } = payment
  const major = (minor: bigint) => majorNumber(minor, terms.currency)
  const channel = channelOf(presenter, payment)
  const attempt = currentAttempt(payment)
  const shared = presentShared(payment, profileId, {
    paid_by: paidBy(payment),
    channel: channel && presentContractChannel(presenter.baseUrl, channel, terms.currency),
    preview: previewOfPayment(presenter, payment, channel),
  })
  const own: Omit<OwnersPayment, keyof typeof shared> = {
    attempts: payment.attempts.map((each) => presentAttempt(each, terms.currency)),
    next_action: payment.status === 'issued' && attempt && isLiveAttempt(attempt) ? actionOf(attempt) : null,
    amount_received: major(payment.receivedMinor),
    amount_in_suspense: major(payment.suspenseMinor),
    amount_refunded: major(payment.refundedMinor),
    settles_at: payment.status === 'paid' ? isoOrNull(payment.settlesAt) : null,
    completed_at: isoOrNull(payment.completedAt),
    refunds: payment.refunds.map(presentPaymentRefund),
    payer_profile: payment.payerProfile ? presentNamed(payment.payerProfile) : null,
    return_url: payment.returnUrl,
    checkout_url: presenter.checkoutUrl(payment.id),
  }
  return Object.assign(shared, own)
}

/** The profile of the account whose wallet paid; of any other payer nobody knows one. */
function paidBy({ paidAttempt, attempts }: Payment): string | null {
  return paidAttempt === null ? null : (attempts[paidAttempt - 1]?.details['payer_profile'] ?? null)
}

function channelOf({ channels }: Presenter, { terms, channelVersion }: Payment): ChannelFacts | null {
  if (terms.channelId === null || channelVersion === null) return null
  const channel = channels.at(terms.channelId, channelVersion)
  return channel ? inbound(channel) : null
}

/** What the payer pays by the method that is chosen, in its asset too, and what arrives of it; before a choice, the amount alone. */
function previewOfPayment({ baseUrl }: Presenter, payment: Payment, channel: ChannelFacts | null): OwnersPreview {
  const { feeMinor, debitMinor, terms, warnings, settlesAt, completedAt } = payment
  const preview: Preview = { feeMinor, debitMinor, receiveMinor: debitMinor - feeMinor, messages: [] }
  const notes = channel === null && payment.status === 'issued' ? [UNCHOSEN, ...warnings] : warnings
  const quote = currentAttempt(payment)?.quote ?? null
  const arrivesAt = completedAt ?? settlesAt
  const shown = presentPreview(baseUrl, preview, terms.currency, channel, { arrivesAt, notes, quote })
  if (!quote || !shown.asset) return shown
  const due = assetDue(debitMinor, terms.currency, quote)
  return { ...shown, asset: { ...shown.asset, amount: 'text' in due ? due.text : null } }
}

const UNCHOSEN = {
  code: 'method_not_chosen',
  type: 'info',
  message: 'The payer has not chosen how to pay; the fee is that of the method.',
} as const

/** Details that are the payer's own, or open something, stay here. */
const SHOWN_DETAILS = new Set(['mobile', 'asset', 'network', 'scheme', 'wallet_id'])

function presentAttempt(attempt: PaymentAttempt, currency: string): OwnersAttempt {
  const { number, kind, channelId, reference, status, providerId, failure, shown, details } = attempt
  const told = Object.entries(details).filter(([name]) => SHOWN_DETAILS.has(name))
  return {
    number,
    type: kind,
    channel: channelId,
    reference,
    status,
    amount: majorNumber(attempt.debitMinor, currency),
    fee: majorNumber(attempt.feeMinor, currency),
    provider_id: providerId,
    details: { ...Object.fromEntries(told), ...shown },
    failure,
    created_at: iso(attempt.createdAt),
  }
}

function presentPaymentRefund({ transferId, from, amountMinor, currency, status, at }: DomainRefund): OwnersRefund {
  const amount = majorNumber(amountMinor, currency)
  return { transfer_id: transferId, from, amount, currency, status, created_at: iso(at) }
}

type Action = Wire<typeof Action>
/** One type of action, with the members of it that this type has. */
type StepOf<T extends Action['type'], M extends keyof Action> = Required<Pick<Action, M | 'expires_at'>> & {
  readonly type: T
}
type Step =
  | StepOf<'redirect', 'url'>
  | StepOf<'display_qr', 'data' | 'svg'>
  | StepOf<'display_address', 'address' | 'amount' | 'asset' | 'network' | 'uri' | 'svg' | 'confirmations'>

/** What the payer does next, with the image of a code. */
function actionOf({ nextAction }: PaymentAttempt): Step | null {
  return nextAction && presentAction(nextAction)
}

function presentAction(action: NextAction): Step {
  switch (action.type) {
    case 'redirect':
      return { type: action.type, url: action.url, expires_at: isoOrNull(action.expiresAt) }
    case 'display_qr':
      return {
        type: action.type,
        data: action.data,
        svg: svgOf(action.data, 'QR code to pay'),
        expires_at: iso(action.expiresAt),
      }
    case 'display_address': {
      const { type, address, amount, asset, network, uri, confirmations, expiresAt } = action
      const svg = svgOf(uri, 'QR code of the address to pay to')
      return { type, address, amount, asset, network, uri, svg, confirmations, expires_at: iso(expiresAt) }
    }
  }
}

// A code is shown again with every look at its contract: the newest ones are kept.
const svgs = new LRUCache<string, string, string>({
  max: 500,
  memoMethod: (data, _, { context }) => qrSvg(data, context),
})

const svgOf = (data: string, title: string): string => svgs.memo(data, { context: title })
