// Verifiers on the wire: the built-in ones, those an account makes, the entries of its lists, and the published lists.
import Type, { type Static } from 'typebox'
import { VERIFICATION_KINDS } from '../../domain/verifier/verification.ts'
import {
  BUILT_IN,
  CODE_TAKERS,
  ENTRIES_AT_ONCE,
  HIT_FROM,
  type OwnEntry,
  OWN_KINDS,
  type Verifier as DomainVerifier,
} from '../../domain/verifier/verifier.ts'
import {
  closed,
  envelope,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  text,
  time,
  uuid,
  type Wire,
} from '../shapes.ts'
import { iso } from '../times.ts'

const hitFrom = Type.Optional(
  nullable(
    Type.Integer({
      minimum: 50,
      maximum: 100,
      description: `From which score of 100 a name is a hit; ${HIT_FROM} by default.`,
    }),
  ),
)

export const VerifierBody = closed(
  {
    kind: Type.Enum([...OWN_KINDS], {
      description:
        'list: a list of your own. http: a service of yours that is asked. otp: a hook of yours that sends one-time codes.',
    }),
    name: Type.String({ minLength: 1, maxLength: 100, description: 'What it is called where it is shown.' }),
    hit_from: hitFrom,
    url: text(2048, 'Of http and otp: where it is called, by POST, signed as webhooks are.'),
    to: Type.Optional(
      nullable(Type.Enum([...CODE_TAKERS], { description: 'Of otp: who gets the code; the recipient by default.' })),
    ),
  },
  { $id: 'VerifierRequest' },
)

export const VerifierPatchBody = closed(
  { name: text(100, 'What it is called where it is shown.'), hit_from: hitFrom },
  { $id: 'VerifierPatch', description: 'What is left out, or null, stays as it is.' },
)

export const Verifier = Type.Object(
  {
    id: nullable(uuid('Null for a built-in one.')),
    livemode,
    kind: Type.Enum([...VERIFICATION_KINDS]),
    name: Type.String(),
    status: Type.Enum(['active', 'archived']),
    description: Type.String(),
    hit_from: nullable(Type.Integer({ description: 'Of lists.' })),
    entries: nullable(Type.Integer({ description: 'Of lists: how many.' })),
    url: nullable(Type.String({ description: 'Of http and otp.' })),
    to: nullable(Type.Enum([...CODE_TAKERS], { $id: 'CodeTaker', description: 'Of otp.' })),
    secret: nullable(Type.String({ description: 'What signs the calls; shown once, when it is made or rolled.' })),
    version: nullable(Type.Integer()),
    created_at: nullableTime,
    changed_at: nullableTime,
  },
  { $id: 'Verifier' },
)

/** Published lists change several times a week. */
/** Since a published list was last found to be the newest: how long that is good for. */
export const LIST_STALE_MS = 7 * 86_400_000

const PublishedList = Type.Object(
  {
    source: Type.String({ description: 'Whose list it is.' }),
    version: Type.String(),
    published_on: nullableText,
    entries: Type.Integer(),
    loaded_at: time('When whoever runs the gateway loaded it.'),
    checked_at: time('When it was last found to be the newest.'),
    stale: Type.Boolean({ description: 'Whether that is more than seven days ago.' }),
  },
  { $id: 'PublishedList' },
)

export const VerifiersReply = envelope(
  'number',
  Type.Object({
    verifiers: Type.Array(Verifier),
    published_lists: Type.Array(PublishedList, {
      description: 'Of the installation; every verification of the kind list asks them.',
    }),
  }),
)
export const VerifierReply = envelope('number', Type.Object({ verifier: Verifier }))

const EntryFields = {
  name: text(255, 'Of a person or firm; found in other spellings, too.'),
  wallet: text(255, 'An account number or address, compared by its letters and digits.'),
  mobile: text(20, 'E.164; 09… is read as +63….'),
  email: text(254, 'An address.'),
  note: text(500, 'Why it is on the list.'),
}

export const EntriesBody = closed(
  {
    entries: Type.Array(closed(EntryFields), {
      minItems: 1,
      maxItems: ENTRIES_AT_ONCE,
      description: 'Each has a name, a wallet, a mobile or an email.',
    }),
  },
  { $id: 'ListEntriesRequest' },
)

export type EntriesBody = Static<typeof EntriesBody>

const Entry = Type.Object(
  {
    id: uuid('Of the entry.'),
    name: nullableText,
    wallet: nullableText,
    mobile: nullableText,
    email: nullableText,
    note: nullableText,
  },
  { $id: 'ListEntry' },
)

export const EntriesReply = envelope('number', Type.Object({ entries: Type.Array(Entry), next: nullableText }))
export const AddedEntriesReply = envelope('number', Type.Object({ verifier: Verifier, entries: Type.Array(Entry) }))

export const EntryParams = Type.Object({ id: uuid('The list.'), entry: uuid('The entry.') })

const BUILT_IN_WORDS: Readonly<Record<(typeof BUILT_IN)[number], readonly [name: string, words: string]>> = {
  name: ['Account name', 'Asks the channel in whose name an account is, and compares it with the recipient’s.'],
  mobile: ['Mobile number', 'Checks the form of a number, and asks an e-wallet whether it knows it.'],
  chain_address: ['Chain address', 'Checks the checksum of an address, and asks the chain whether it is a contract.'],
}

const CALLED_WORDS = {
  http: 'A service of your own: it is asked by a signed call, and answers pass, fail or review.',
  otp: 'A hook of your own that sends one-time codes; whoever gets one gives it back.',
} as const

/** Those that are always there. */
export function builtInVerifiers(ofMode: boolean): Wire<typeof Verifier>[] {
  return BUILT_IN.map((kind) => {
    const [name, description] = BUILT_IN_WORDS[kind]
    const none = {
      hit_from: null,
      entries: null,
      url: null,
      to: null,
      secret: null,
      version: null,
      created_at: null,
      changed_at: null,
    }
    return { id: null, livemode: ofMode, kind, name, status: 'active', description, ...none }
  })
}

export function presentVerifier(
  verifier: DomainVerifier,
  entries: number,
  secret: string | null = null,
): Wire<typeof Verifier> {
  const isList = verifier.kind === 'list'
  return {
    id: verifier.id,
    livemode: verifier.livemode,
    kind: verifier.kind,
    name: verifier.name,
    status: verifier.status,
    description: isList
      ? `A list of your own with ${entries} ${entries === 1 ? 'entry' : 'entries'}.`
      : CALLED_WORDS[verifier.kind === 'otp' ? 'otp' : 'http'],
    hit_from: isList ? verifier.hitFrom : null,
    entries: isList ? entries : null,
    url: verifier.url,
    to: verifier.to,
    secret,
    version: verifier.version,
    created_at: iso(verifier.createdAt),
    changed_at: iso(verifier.changedAt),
  }
}

export function presentEntry({ id, name, wallet, mobile, email, note }: OwnEntry): Wire<typeof Entry> {
  return { id, name, wallet, mobile, email, note }
}

export function presentPublished(
  list: {
    readonly source: string
    readonly version: string
    readonly publishedOn: string | null
    readonly entries: number
    readonly loadedAt: number
    readonly checkedAt: number
  },
  nowMs: number,
): Wire<typeof PublishedList> {
  const { source, version, publishedOn, entries, loadedAt, checkedAt } = list
  const times = { loaded_at: iso(loadedAt), checked_at: iso(checkedAt), stale: nowMs - checkedAt > LIST_STALE_MS }
  return { source, version, published_on: publishedOn, entries, ...times }
}
