// API keys on the wire: what is asked for, and how they are shown.
import Type, { type Static } from 'typebox'
import { type ApiKey, KEY_STATES, keyState } from '../../domain/account/keys.ts'
import { SCOPES } from '../../domain/account/scopes.ts'
import { majorNumber } from '../../domain/money/money.ts'
import {
  closed,
  envelope,
  ignored,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  time,
  type Wire,
  Currency,
  currency,
} from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'
import { Mandate, MandateBody, presentMandate } from './mandates.ts'

const NAME_MAX = 100
const RANGES_MAX = 50
const CAPS_MAX = 50
const LIFE_SECONDS_MAX = 315_360_000
export const KEY_OVERLAP_SECONDS = { default: 86_400, max: 604_800 } as const

const name = Type.String({ minLength: 1, maxLength: NAME_MAX, description: 'What the key is for.' })
const addresses = nullable(
  Type.Array(Type.String({ maxLength: 49 }), {
    minItems: 1,
    maxItems: RANGES_MAX,
    description:
      'Where it may be used from: addresses or ranges such as 203.0.113.7 or 2001:db8::/32. Null for anywhere; left out, as with whoever makes the key.',
  }),
)
const Cap = closed({
  currency: currency('Another currency than those listed does not leave at all.'),
  amount: Type.Number({ description: 'The most that may leave at a time, fee included, in major units.' }),
})
const transferMax = nullable(
  Type.Array(Cap, {
    minItems: 1,
    maxItems: CAPS_MAX,
    description:
      'What may leave the account at a time by this key: by pay, retry, refund or return. Null for any amount; left out, as with whoever makes the key.',
  }),
)
const expiresIn = nullable(
  Type.Integer({
    minimum: 1,
    maximum: LIFE_SECONDS_MAX,
    description: 'Seconds until it ends. Null for no end; left out, it ends with whoever makes it.',
  }),
)

export const KeyBody = closed(
  {
    name,
    scopes: Type.Array(Type.Enum([...SCOPES], { $id: 'Scope' }), {
      minItems: 1,
      maxItems: SCOPES.length,
      description: 'What it may do: some of your own scopes.',
    }),
    expires_in: Type.Optional(expiresIn),
    addresses: Type.Optional(addresses),
    transfer_max: Type.Optional(transferMax),
    mandate: Type.Optional(MandateBody),
  },
  { $id: 'KeyRequest' },
)
export type KeyBody = Static<typeof KeyBody>

export const KeyPatchBody = closed(
  {
    name: Type.Optional(name),
    addresses: Type.Optional(addresses),
    transfer_max: Type.Optional(transferMax),
    mandate: Type.Optional(MandateBody),
    ...ignored([
      'id',
      'livemode',
      'scopes',
      'state',
      'created_at',
      'expires_at',
      'revoked_at',
      'last_used_on',
      'receiver',
    ]),
  },
  { $id: 'KeyPatch' },
)
export type KeyPatchBody = Static<typeof KeyPatchBody>

export const KeyRollBody = closed(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: KEY_OVERLAP_SECONDS.max,
        description: 'How long the old key still works; a day by default, 0 to end it now.',
      }),
    ),
    expires_in: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: LIFE_SECONDS_MAX,
          description:
            'Seconds until the new key ends, null for no end. Left out, it ends when the old one would have.',
        }),
      ),
    ),
  },
  { $id: 'KeyRoll' },
)

export const KeyParams = Type.Object({ id: Type.String({ description: 'The id of an API key: ten characters.' }) })

export const Key = Type.Object(
  {
    id: Type.String({ description: 'Ten characters; the middle part of the key.' }),
    livemode,
    name: Type.String(),
    state: Type.Enum([...KEY_STATES]),
    scopes: Type.Array(Type.String()),
    addresses: nullable(Type.Array(Type.String(), { description: 'Where it may be used from; null for anywhere.' })),
    transfer_max: nullable(
      Type.Array(Type.Object({ currency: Currency, amount: Type.Number() }), {
        description: 'What may leave at a time; null for any amount.',
      }),
    ),
    mandate: Mandate,
    receiver: nullable(
      Type.Object(
        { channels: nullable(Type.Array(Type.String(), { description: 'Null for all of its mode.' })) },
        { description: 'Of a key with which a provider reports payments; null for any other.' },
      ),
    ),
    created_at: time('When it was made.'),
    expires_at: nullableTime,
    revoked_at: nullableTime,
    last_used_on: nullable(Type.String({ description: 'The last day of use, in UTC: YYYY-MM-DD.' })),
  },
  { $id: 'Key' },
)

/** A key is shown once, in the answer that made it. */
const NewKey = Type.Object({
  key: Key,
  api_key: Type.String({ description: 'The key itself: shown this once, and kept nowhere.' }),
})

export const KeyReply = envelope('number', Type.Object({ key: Key }))
export const NewKeyReply = envelope('number', NewKey)
export const KeysReply = envelope('number', Type.Object({ keys: Type.Array(Key), next: nullableText }))

export function presentKey(key: ApiKey, nowMs: number): Wire<typeof Key> {
  return {
    id: key.id,
    livemode: key.livemode,
    name: key.name,
    state: keyState(key, nowMs),
    scopes: key.scopes,
    addresses: key.addresses,
    transfer_max:
      key.transferMax?.map(({ currency, maxMinor }) => ({ currency, amount: majorNumber(maxMinor, currency) })) ?? null,
    mandate: presentMandate(key),
    receiver: key.receiver,
    created_at: iso(key.createdAt),
    expires_at: isoOrNull(key.expiresAt),
    revoked_at: isoOrNull(key.revokedAt),
    last_used_on: key.lastUsedOn,
  }
}
