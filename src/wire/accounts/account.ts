// An account on the wire, as its own keys see and change it. How it shows itself to payers: brand.ts.
import Type, { type Static } from 'typebox'
import { type OwnAccount, RETRIES_MAX } from '../../domain/account/settings.ts'
import { closed, envelope, ignored, livemode, nullable, time, uuid, type Wire, Currency, currency } from '../shapes.ts'
import { iso } from '../times.ts'
import { BrandBody, BrandShape, presentBrand, presentSupport, SupportBody, SupportShape } from './brand.ts'

const LIST_MAX = 50

const channels = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: LIST_MAX,
  description: 'Channels that a transfer is tried on once its own has failed it for good, in this order.',
})
const retries = Type.Integer({
  minimum: 0,
  maximum: RETRIES_MAX,
  description: 'How often a transfer that failed is tried again on its own channel.',
})
const refundsAtOnce = Type.Boolean({
  description: 'Whether a transfer that failed for good is refunded by itself; else it waits for a retry or a cancel.',
})
const returnsAtOnce = Type.Boolean({
  description: 'Whether late, partial and excess money goes back to payers by itself; else it waits in suspense.',
})
const expiresIn = (which: string, otherwise: string) =>
  nullable(
    Type.Integer({
      description: `Seconds in which a ${which} that does not say it itself can be paid. Null: ${otherwise}.`,
    }),
  )
const settings = {
  refunds_at_once: refundsAtOnce,
  retries,
  fallback_channels: channels,
  returns_at_once: returnsAtOnce,
  transfer_expires_in: expiresIn('transfer contract', '14 days'),
  payment_expires_in: expiresIn('payment contract', '30 minutes'),
}
const origins = (description: string) =>
  Type.Array(Type.String({ maxLength: 255 }), { maxItems: LIST_MAX, description })
const corsOrigins = origins(
  'The origins whose pages may call with a token of the account, such as https://shop.example.',
)
const sites = origins('Where payers may be sent back to; none for any site over https.')
const name = Type.String({ minLength: 1, maxLength: 100, description: 'What payers see, unless the brand has a name.' })
const timeZone = Type.String({
  maxLength: 64,
  description: 'IANA, such as Asia/Manila: in which its days begin and end.',
})

export const Account = Type.Object(
  {
    id: uuid('The account.'),
    profile_id: uuid('Its own profile: what contracts show as issued_by and paid_by.'),
    livemode,
    operates: Type.Boolean({
      description: 'Whether its members may operate the gateway (docs/operating.md). Set by whoever runs it.',
    }),
    name,
    time_zone: timeZone,
    default_currency: nullable(Currency),
    settings: Type.Object(settings),
    cors_origins: corsOrigins,
    sites,
    brand: BrandShape,
    support: SupportShape,
    created_at: time('When it was made.'),
  },
  { $id: 'Account' },
)

export const AccountPatchBody = closed(
  {
    name: Type.Optional(name),
    time_zone: Type.Optional(timeZone),
    default_currency: Type.Optional(nullable(currency('What people are shown first.'))),
    settings: Type.Optional(
      closed({
        refunds_at_once: Type.Optional(refundsAtOnce),
        retries: Type.Optional(retries),
        fallback_channels: Type.Optional(channels),
        returns_at_once: Type.Optional(returnsAtOnce),
        transfer_expires_in: Type.Optional(settings.transfer_expires_in),
        payment_expires_in: Type.Optional(settings.payment_expires_in),
      }),
    ),
    cors_origins: Type.Optional(corsOrigins),
    sites: Type.Optional(sites),
    brand: Type.Optional(nullable(BrandBody)),
    support: Type.Optional(nullable(SupportBody)),
    ...ignored(['id', 'profile_id', 'livemode', 'operates', 'created_at']),
  },
  { $id: 'AccountPatch' },
)
export type AccountPatchBody = Static<typeof AccountPatchBody>

export const AccountReply = envelope('number', Type.Object({ account: Account }))

export function presentAccount(account: OwnAccount): Wire<typeof Account> {
  return {
    id: account.id,
    profile_id: account.profileId,
    livemode: account.livemode,
    operates: account.operates,
    name: account.name,
    time_zone: account.timeZone,
    default_currency: account.defaultCurrency,
    settings: {
      refunds_at_once: account.refundsAtOnce,
      retries: account.retries,
      fallback_channels: account.fallbackChannels,
      returns_at_once: account.returnsAtOnce,
      transfer_expires_in: account.transferExpirySeconds,
      payment_expires_in: account.paymentExpirySeconds,
    },
    cors_origins: account.corsOrigins,
    sites: account.sites,
    brand: presentBrand(account.brand, account.name),
    support: presentSupport(account.brand),
    created_at: iso(account.createdAt),
  }
}
