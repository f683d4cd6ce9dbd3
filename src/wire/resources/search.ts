// A search on the wire: what is asked, and the lines that answer it.
import Type, { type Static } from 'typebox'
import { ListQuery } from '../api.ts'
import { closed, envelope, livemode, nullable, nullableText, oneOrMore, time } from '../shapes.ts'
import { Resource } from './lines.ts'

const SEARCH_TYPES = ['transfer', 'payment', 'profile', 'event'] as const

export const SearchQuery = closed({
  q: Type.String({
    maxLength: 200,
    description:
      'An id or its first eight digits or more, a reference, a name or words of it, a mobile number, an e-mail address, an account number or its last four digits or more, an amount (1500, PHP 1,500.00), or metadata as name:text.',
  }),
  type: Type.Optional(oneOrMore(SEARCH_TYPES)),
  ...ListQuery.properties,
})

export type SearchQuery = Static<typeof SearchQuery>

const SearchHit = Type.Object(
  {
    ...Resource.properties,
    livemode,
    fields: Type.Array(Type.String(), { description: 'Which of its fields answer the query.' }),
  },
  { $id: 'SearchHit' },
)

export const SearchReply = envelope(
  'number',
  Type.Object({
    results: Type.Array(SearchHit, { description: 'Newest first.' }),
    next: nullableText,
    indexed_until: nullable(
      time('Set where much was written at once: what happened after this moment may be missing. Null: nothing is.'),
    ),
    removed_until: nullable(
      time(
        'Contracts that ended up to this moment are found by their id alone: their words have left the index. Null: none has.',
      ),
    ),
  }),
)
