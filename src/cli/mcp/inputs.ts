// What tools take, as the API has it: a draft's members with their names, and nothing that is not named.
import Type, { type Static } from 'typebox'
import type { TransferDraft } from '../../../sdk/src/index.ts'
import { RecipientFields } from '../../wire/contract.ts'
import { closed } from '../../wire/shapes.ts'

const short = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

export const id = (description: string) => Type.String({ format: 'uuid', description })
export const Confirmation = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'Left out in the first call, which answers with one. The same call with it does what was shown.',
  }),
)

export const amount = (description: string) =>
  Type.Unsafe<number | string>({ type: ['number', 'string'], pattern: '^\\d{1,15}(\\.\\d{1,8})?$', description })
const Currency = Type.String({ pattern: '^[A-Za-z]{3}$', description: 'ISO 4217, such as PHP.' })

const Recipient = Type.Optional(
  closed(
    {
      ...RecipientFields,
      profile: short(64, 'In place of the other members: the id of a saved profile.'),
      destination: short(64, 'With profile: which of its saved ways to be paid; by default its default.'),
    },
    { description: 'Who is paid. What a channel needs to know: compare_channels.' },
  ),
)

const DRAFT = {
  channel: short(64, 'Id of the channel that carries it: compare_channels.'),
  recipient: Recipient,
  description: short(1000, 'What it is about.'),
  reference_id: short(128, 'The account’s own reference, such as an invoice number.'),
  metadata: Type.Optional(Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 500 }))),
  expires_in: Type.Optional(Type.Integer({ minimum: 1, description: 'Seconds until it can be paid no more.' })),
}

const MAJOR = 'What is meant, in major units: 1500 or "1500.50".'
export const Draft = { amount: amount(MAJOR), currency: Currency, ...DRAFT }
export const Changes = { amount: Type.Optional(amount(MAJOR)), currency: Type.Optional(Currency), ...DRAFT }

/** The body of the API: a tool has no member within a member where one name says it. */
export function bodyOf(draft: Static<ReturnType<typeof changesOf>>): Partial<TransferDraft> {
  const { reference_id, ...members } = draft
  const deliverable = reference_id === undefined ? {} : { deliverable: { reference_id } }
  return { ...members, ...deliverable } as Partial<TransferDraft>
}

const changesOf = () => Type.Object(Changes)
