// What belongs to the API as a whole: its version, ids in paths, pages of lists, access tokens, errors and health.
import Type, { type Static } from 'typebox'
import { REFUSALS } from '../domain/contract/refusals.ts'
import { closed, livemode, nullable, nullableText, readAs, uuid } from './shapes.ts'

export const API_VERSION = '2026-11-01'

export const IdParams = Type.Object({ id: uuid('The id in the path.') })

export const ListQuery = closed({
  limit: Type.Optional(
    readAs(
      { type: 'integer', minimum: 1, maximum: 100, default: 25 },
      '^(?:[1-9]|[1-9][0-9]|100)$',
      '1 to 100; 25 by default.',
    ),
  ),
  after: Type.Optional(Type.String({ maxLength: 64, description: 'data.next of the page before.' })),
})

export type ListQuery = Static<typeof ListQuery>

export const TokenBody = closed(
  {
    grant_type: Type.String({ description: 'client_credentials' }),
    client_id: Type.Optional(Type.String({ maxLength: 255 })),
    client_secret: Type.Optional(
      Type.String({ maxLength: 255, description: 'The API key, where it is not sent in X-Api-Key.' }),
    ),
    expires_in: Type.Optional(Type.Integer({ minimum: 1, maximum: 43_200, description: 'Seconds; 900 by default.' })),
    contract_id: Type.Optional(uuid('Binds the token to one contract.')),
  },
  { $id: 'TokenRequest' },
)

export type TokenBody = Static<typeof TokenBody>

export const TokenReply = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer(),
    scope: Type.String(),
    livemode,
  },
  { $id: 'Token', description: 'RFC 6749, 5.1.' },
)

/** What went wrong: a code of the catalogue, or of the two families that name a parameter. */
const ErrorCode = Type.Unsafe<string>({
  anyOf: [
    { type: 'string', enum: Object.keys(REFUSALS) },
    { type: 'string', pattern: '^(missing|invalid)_[A-Za-z0-9_-]+$' },
  ],
  $id: 'ErrorCode',
  description: 'docs/errors.md; families missing_<param> and invalid_<param>.',
})

const errorFields = {
  type: Type.Enum([...new Set(Object.values(REFUSALS).map((entry) => entry.type))], { $id: 'ErrorType' }),
  message: Type.String({ description: 'What is wrong and how to mend it, for a person.' }),
  code: ErrorCode,
  param: nullable(Type.String({ description: 'The offending parameter, dotted.' })),
}

/** Where a reader of events goes on, whose place a restore has undone. */
export const EpochChange = Type.Object({
  epoch: Type.Integer({ description: 'Of epoch_changed: how often the books were begun, from 1 on.' }),
  resume_after: nullable(
    Type.String({
      description: 'Of epoch_changed and events_removed: the cursor to go on from; null is the beginning.',
    }),
  ),
  undone_after: nullable(
    Type.String({ description: 'Of epoch_changed: what you were told of later than this was undone.' }),
  ),
})

/** Where a reader of the feed goes on, whose next events have left. */
export const EventsRemoved = Type.Object({
  resume_after: EpochChange.properties.resume_after,
  removed_until: nullable(
    Type.String({ description: 'Of events_removed: when the last contract ended of which events have left.' }),
  ),
})

export const ErrorReply = Type.Object(
  {
    error: Type.Object({
      ...errorFields,
      contract_id: Type.Optional(
        uuid(
          'Of payment_declined: the contract, which is open. Go on with it: another method may pay it. Of restored_request: the contract that the request led to.',
        ),
      ),
      ...Type.Partial(EpochChange).properties,
      ...Type.Partial(EventsRemoved).properties,
      request_id: Type.Optional(Type.String()),
      doc_url: Type.Optional(Type.String()),
      errors: Type.Optional(Type.Array(Type.Object({ code: ErrorCode, param: nullableText, message: Type.String() }))),
    }),
  },
  { $id: 'Error' },
)

export const Health = Type.Object({ status: Type.String() }, { $id: 'Health' })
