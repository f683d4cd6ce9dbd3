// Mandates on the wire: what is asked for, and how they are shown, with what has left and what is left.
import Type from 'typebox'
import type { ApiKey } from '../../domain/account/keys.ts'
import { type MandateLimit, type Payee, remainingMinor, type Spent } from '../../domain/mandate/mandate.ts'
import { majorNumber } from '../../domain/money/money.ts'
import {
  closed,
  currency,
  Currency,
  ignored,
  nullable,
  nullableText,
  nullableTime,
  text,
  uuid,
  type Wire,
} from '../shapes.ts'
import { isoOrNull } from '../times.ts'

const LISTED_MAX = 100
const LIMITS_MAX = 50

const Recipient = closed({
  wallet: text(255, 'An account, as contracts name it.'),
  tag: text(255, 'Its bank code or memo; an account at another bank is another one.'),
  mobile: text(20, 'E.164; 09… is read as +63….'),
  email: text(254, 'An e-mail address.'),
})

export const MandateBody = nullable(
  closed(
    {
      limits: Type.Array(
        closed({
          currency: currency('Another currency than those listed does not leave at all.'),
          total: Type.Number({ description: 'What may leave in all, fees included, in major units.' }),
          per_transfer: Type.Optional(
            nullable(Type.Number({ description: 'The most at a time, fee included; null for what is left.' })),
          ),
          approval_above: Type.Optional(
            nullable(
              Type.Number({
                description:
                  'More than this at a time, fee included, is paid once a member has approved it; 0: everything. Null: the key pays it alone.',
              }),
            ),
          ),
          ...ignored(['spent', 'remaining', 'transfers']),
        }),
        { minItems: 1, maxItems: LIMITS_MAX },
      ),
      recipients: Type.Optional(
        nullable(
          Type.Array(Recipient, {
            minItems: 1,
            maxItems: LISTED_MAX,
            description:
              'Who may be paid: all that a contract names of a recipient must be the same. Null for anybody.',
          }),
        ),
      ),
      profiles: Type.Optional(
        nullable(
          Type.Array(uuid('A profile.'), {
            minItems: 1,
            maxItems: LISTED_MAX,
            description: 'Profiles that may be paid, beside recipients. Not of a key that may change profiles.',
          }),
        ),
      ),
      channels: Type.Optional(
        nullable(
          Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
            minItems: 1,
            maxItems: LISTED_MAX,
            description: 'Null for any.',
          }),
        ),
      ),
      until: Type.Optional(
        nullable(Type.String({ format: 'date-time', description: 'When it ends; null for as long as the key lives.' })),
      ),
    },
    {
      description:
        'What may leave by this key in all. Null for any; a key with a mandate makes and changes no keys. A change keeps what has left.',
    },
  ),
)

export const Mandate = nullable(
  Type.Object(
    {
      limits: Type.Array(
        Type.Object({
          currency: Currency,
          total: Type.Number(),
          per_transfer: nullable(Type.Number()),
          approval_above: nullable(
            Type.Number({ description: 'More at a time is paid once a member has approved it; null for none.' }),
          ),
          spent: Type.Number({ description: 'What has left. What came back is not taken off.' }),
          remaining: Type.Number(),
          transfers: Type.Integer({ description: 'How often something left.' }),
        }),
      ),
      recipients: nullable(
        Type.Array(Type.Object({ wallet: nullableText, tag: nullableText, mobile: nullableText, email: nullableText })),
      ),
      profiles: nullable(Type.Array(uuid('A profile.'))),
      channels: nullable(Type.Array(Type.String())),
      until: nullableTime,
    },
    { description: 'What may leave by the key in all, and what is left of it; null where nothing bounds that.' },
  ),
)

export function presentMandate({ mandate, spending }: Pick<ApiKey, 'mandate' | 'spending'>): Wire<typeof Mandate> {
  return (
    mandate && {
      limits: mandate.limits.map((limit) => presentLimit(limit, spending)),
      recipients: mandate.recipients?.map(presentPayee) ?? null,
      profiles: mandate.profiles,
      channels: mandate.channels,
      until: isoOrNull(mandate.until),
    }
  )
}

const presentPayee = ({ wallet, tag, mobile, email }: Payee) => ({ wallet, tag, mobile, email })

function presentLimit(limit: MandateLimit, spending: readonly Spent[]) {
  const { currency: code, totalMinor, perTransferMinor, approvalAboveMinor } = limit
  const spent = spending.find((each) => each.currency === code)
  return {
    currency: code,
    total: majorNumber(totalMinor, code),
    per_transfer: perTransferMinor === null ? null : majorNumber(perTransferMinor, code),
    approval_above: approvalAboveMinor === null ? null : majorNumber(approvalAboveMinor, code),
    spent: majorNumber(spent?.spentMinor ?? 0n, code),
    remaining: majorNumber(remainingMinor(limit, spending), code),
    transfers: spent?.count ?? 0,
  }
}
