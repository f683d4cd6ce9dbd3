// Reference data on the wire: the shape of a data set and of the items of each.
import Type from 'typebox'
import { envelope, nullable, nullableText } from '../shapes.ts'
import { Resource } from './lines.ts'

const name = Type.String({ description: 'For people, in English.' })
const words = (description: string) => Type.Array(Type.String(), { description })

/** The shape of an item of each data set. */
export const ITEMS = {
  currencies: Type.Object({
    code: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
    name,
    digits: Type.Integer({ description: 'Decimals of an amount.' }),
    enabled: Type.Boolean({ description: 'Whether this gateway takes it.' }),
  }),
  countries: Type.Object({ code: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' }), name }),
  banks: Type.Object({
    code: Type.String({ description: 'What recipient.tag takes.' }),
    bic: nullable(Type.String({ description: 'ISO 9362, of the head office.' })),
    name,
    rails: words('The channels of this gateway that pay accounts at banks by such a code.'),
  }),
  statuses: Type.Object({
    of: Type.String({ description: 'What has the status.' }),
    status: Type.String(),
    is_end: nullable(
      Type.Boolean({ description: 'Whether no move leads on, but in a recovery. Null where moves do not say.' }),
    ),
  }),
  moves: Type.Object({
    of: Type.Enum(['transfer', 'payment']),
    from: nullable(Type.String({ description: 'Null where the contract begins.' })),
    verb: Type.String(),
    to: Type.String(),
    when: Type.String(),
    postings: words('Debit → credit, in the order that they are written.'),
    activities: words('In the order that they are written.'),
    event: nullableText,
  }),
  errors: Type.Object({
    code: Type.String(),
    type: Type.String(),
    status: Type.Integer({ description: 'Of the HTTP reply.' }),
    when: Type.String(),
    mend: Type.String({ description: 'What helps, where the message does not say more.' }),
  }),
  events: Type.Object({
    type: Type.String(),
    scopes: words('One of these lets a key be told of it.'),
    sample: Type.Record(Type.String(), Type.Unknown(), { description: 'An event of the type. Nothing of it exists.' }),
  }),
  holidays: Type.Object({
    date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
    countries: words('The countries whose banks are closed on that day.'),
    channels: words('The channels that send nothing on that day.'),
  }),
  versions: Type.Object({
    version: Type.String({ description: 'As the header Service-Version takes it.' }),
    is_current: Type.Boolean(),
  }),
  scopes: Type.Object({
    scope: Type.String(),
    allows: Type.String(),
    is_default: Type.Boolean({ description: 'Whether a key has it where nothing is said.' }),
    for_tokens: Type.Boolean({ description: 'Whether a bearer token has it.' }),
  }),
  roles: Type.Object({ role: Type.String(), scopes: words('What a member with the role may do.') }),
} as const

export type DataSetName = keyof typeof ITEMS

const listed = {
  name: Type.String(),
  description: Type.String(),
  href: Type.String({ description: 'The path under which it is.' }),
  version: nullable(Type.String({ description: 'Another one for other contents. Null: it depends on who asks.' })),
}

const DataSet = Type.Object(
  {
    ...listed,
    schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of an item.' }),
    items: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: 'DataSet' },
)

export const DataSetsReply = envelope(
  'number',
  Type.Object({ resources: Type.Array(Type.Object(listed)), next: nullableText }),
)

export const ResourceParams = Type.Object({
  id: Type.String({ description: 'The name of a data set, or the id of anything that the account has.' }),
})

export const ResourceReply = envelope('number', Type.Object({ resource: Type.Union([DataSet, Resource]) }))
