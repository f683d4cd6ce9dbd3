// The reference data: each data set made from the very tables that the gateway works by, so that none can say anything else.
import { hash } from 'node:crypto'
import type { TSchema } from 'typebox'
import type { Deps } from '../../app/deps.ts'
import { EXAMPLES } from '../../connectors/catalogue.ts'
import {
  type AccountEventType,
  type AccountObjectKind,
  ALL_EVENT_TYPES,
  type AnyEventType,
  objectKindOf,
  scopesToRead,
} from '../../domain/account/events.ts'
import { ROLES, scopesOf } from '../../domain/account/roles.ts'
import { ACCOUNT_SCOPES, PERSONAL_SCOPES, SCOPES, TOKEN_SCOPES } from '../../domain/account/scopes.ts'
import { BANKS } from '../../domain/channel/banks.ts'
import { windowsConfig } from '../../domain/channel/windows.ts'
import { FIRST_EPOCH, laneUuid } from '../../domain/contract/ids.ts'
import { REFUSALS } from '../../domain/contract/refusals.ts'
import { CURRENCIES, digitsOf } from '../../domain/money/currencies.ts'
import { PAYMENT_MOVES } from '../../domain/payment/move-table.ts'
import { PAYMENT_STATUSES } from '../../domain/payment/moves.ts'
import { PAYMENT_ATTEMPT_STATUSES } from '../../domain/payment/payment.ts'
import { ERROR_MENDS, SCOPE_WORDS } from '../../domain/resource/words.ts'
import { BANK_HOLIDAYS, HOLIDAY_COUNTRIES } from '../../domain/schedule/holidays.ts'
import { COUNTRIES } from '../../domain/text/countries.ts'
import { MOVES_AHEAD, TRANSFER_MOVES } from '../../domain/transfer/move-table.ts'
import { EVENT_TYPES, type EventType, EXECUTION_STATUSES, TRANSFER_STATUSES } from '../../domain/transfer/moves.ts'
import { sampleContract } from '../../domain/transfer/sample.ts'
import { DELIVERY_STATUSES } from '../../domain/webhook/delivery.ts'
import { ENDPOINT_STATUSES } from '../../domain/webhook/endpoint.ts'
import { KeyReply } from '../../wire/accounts/keys.ts'
import { Restoration } from '../../wire/accounts/restored.ts'
import { API_VERSION } from '../../wire/api.ts'
import { AccountObject, presentEvent, presentStoredEvent } from '../../wire/events.ts'
import { Member } from '../../wire/members/members.ts'
import { Policy } from '../../wire/policies/policy.ts'
import { Profile } from '../../wire/profiles/profile.ts'
import { Schedule } from '../../wire/schedules/schedule.ts'
import { type DataSetName, ITEMS } from '../../wire/resources/data-sets.ts'
import { sampleOf } from '../../wire/resources/sample.ts'
import type { Presenter } from '../../wire/transfer.ts'
import { WalletReply } from '../../wire/wallets/wallets.ts'
import { statusOf } from '../errors.ts'

type Item = Readonly<Record<string, unknown>>

export type DataSet = {
  readonly name: DataSetName
  readonly description: string
  readonly schema: Record<string, unknown>
  readonly items: readonly Item[]
  /** Another one for other contents. */
  readonly version: string
}

/** What the data sets are made from beside the tables. */
export type DataSources = {
  readonly channels: Deps['channels']
  readonly currencies: ReadonlySet<string>
}

type Source = { readonly description: string; readonly items: (sources: DataSources) => readonly Item[] }

const SOURCES: Readonly<Record<DataSetName, Source>> = {
  currencies: { description: 'The currencies of ISO 4217, and which of them are taken here.', items: currencyItems },
  countries: { description: 'The countries of ISO 3166-1.', items: () => named('region', COUNTRIES) },
  banks: {
    description: 'Banks of the Philippines by the code that a recipient’s tag takes. Others are taken, too.',
    items: bankItems,
  },
  statuses: { description: 'What a contract, an attempt, a delivery or an endpoint can be.', items: statusItems },
  moves: {
    description: 'What leads from one status of a contract to another, with all that is written with it.',
    items: moveItems,
  },
  errors: { description: 'The codes of errors, with what helps.', items: errorItems },
  events: { description: 'The types of events, who may be told of them, and a sample of each.', items: eventItems },
  holidays: {
    description: 'The days on which the banks of a country, or a channel, settle nothing, beside those of the week.',
    items: holidayItems,
  },
  versions: { description: 'The versions of this API.', items: () => [{ version: API_VERSION, is_current: true }] },
  scopes: { description: 'What API keys can be allowed.', items: scopeItems },
  roles: { description: 'What members may do.', items: roleItems },
}

const NAMES = Object.keys(SOURCES) as DataSetName[]

export const dataSets = (sources: DataSources): DataSet[] => NAMES.map((name) => dataSet(name, sources))

function dataSet(name: DataSetName, sources: DataSources): DataSet {
  const { description, items: make } = SOURCES[name]
  const schema = JSON.parse(JSON.stringify(ITEMS[name])) as Record<string, unknown>
  const items = make(sources)
  const version = hash('sha256', JSON.stringify([schema, items]), 'hex').slice(0, VERSION_DIGITS)
  return { name, description, schema, items, version }
}

const VERSION_DIGITS = 16

function named(type: 'region' | 'currency', codes: readonly string[]): { code: string; name: string }[] {
  const names = new Intl.DisplayNames('en', { type })
  return codes.map((code) => ({ code, name: names.of(code) ?? code }))
}

function currencyItems({ currencies }: DataSources): Item[] {
  return named('currency', CURRENCIES).map(({ code, name }) => ({
    code,
    name,
    digits: digitsOf(code),
    enabled: currencies.has(code),
  }))
}

function bankItems({ channels }: DataSources): Item[] {
  const asking = channels.all().filter(({ recipient }) => recipient.some(({ field }) => field === 'tag'))
  const rails = asking.map(({ id }) => id)
  return BANKS.map(({ bic, name }) => ({ code: bic, bic, name, rails }))
}

const MOVES = { transfer: TRANSFER_MOVES, payment: PAYMENT_MOVES } as const

function statusItems(): Item[] {
  const listed = (of: string, statuses: readonly string[], isEnd: (status: string) => boolean | null = () => null) =>
    statuses.map((status) => ({ of, status, is_end: isEnd(status) }))
  const isEndOf = (moves: typeof MOVES_AHEAD | typeof PAYMENT_MOVES) => (status: string) =>
    moves.every(({ from, to }) => from !== status || to === status)
  return [
    ...listed('transfer', TRANSFER_STATUSES, isEndOf(MOVES_AHEAD)),
    ...listed('payment', PAYMENT_STATUSES, isEndOf(PAYMENT_MOVES)),
    ...listed('transfer.status', EXECUTION_STATUSES),
    ...listed('attempts.status', PAYMENT_ATTEMPT_STATUSES),
    ...listed('delivery', DELIVERY_STATUSES),
    ...listed('webhook_endpoint', ENDPOINT_STATUSES),
  ]
}

function moveItems(): Item[] {
  return (['transfer', 'payment'] as const).flatMap((of) =>
    MOVES[of].map(({ from, verb, to, when, postings, activities, event }) => ({
      of,
      from,
      verb,
      to,
      when,
      postings,
      activities,
      event,
    })),
  )
}

function errorItems(): Item[] {
  const coded = Object.entries(REFUSALS).map(([code, { type, when }]) => ({ code, type, when }))
  const families = [
    { code: 'missing_<param>', when: 'A required parameter is missing; dots become underscores.' },
    { code: 'invalid_<param>', when: 'A parameter has a value that cannot be taken.' },
  ].map((family) => ({ ...family, type: 'invalid_request_error' as const }))
  return [...families, ...coded].map(({ code, type, when }) => ({
    code,
    type,
    status: statusOf(code),
    when,
    mend: ERROR_MENDS[type],
  }))
}

// A sample is the same at any time and at any address.
const SAMPLE_MS = Date.UTC(2026, 10, 1)
const SAMPLE_ID = laneUuid(0, SAMPLE_MS, '0'.repeat(20))
const OBJECTS: Readonly<Partial<Record<AccountObjectKind, TSchema>>> = {
  key: KeyReply.properties.data.properties.key,
  wallet: WalletReply.properties.data.properties.wallet,
  profile: Profile,
  policy: Policy,
  schedule: Schedule,
  member: Member,
  gateway: Restoration,
}

function eventItems({ channels }: DataSources): Item[] {
  const baseUrl = 'https://gateway.example'
  const presenter: Presenter = { channels, baseUrl, checkoutUrl: () => `${baseUrl}/pay/…` }
  const channel = channels.current(EXAMPLES.trial) ?? null
  const owner = { id: SAMPLE_ID, lane: 0, accountId: SAMPLE_ID, livemode: false }
  const isOfContract = (type: AnyEventType): type is EventType => EVENT_TYPES.some((each) => each === type)
  return ALL_EVENT_TYPES.map((type) => ({
    type,
    scopes: scopesToRead(type),
    sample: isOfContract(type)
      ? presentEvent(presenter, sampleContract(type, owner, channel, SAMPLE_MS), type, SAMPLE_ID)
      : presentStoredEvent(presenter, accountEvent(type), SAMPLE_ID),
  }))
}

function accountEvent(type: AccountEventType) {
  const object = { ...sampleOf(OBJECTS[objectKindOf(type)] ?? AccountObject), livemode: false }
  const id = 'id' in object ? String(object.id) : SAMPLE_ID
  return {
    contract: null,
    epoch: FIRST_EPOCH,
    id: SAMPLE_ID,
    event: type,
    subject: id,
    at: SAMPLE_MS,
    object: { ...object, id },
  }
}

function holidayItems({ channels }: DataSources): Item[] {
  const days = new Map<string, { countries: string[]; channels: string[] }>()
  const at = (date: string) => {
    const known = days.get(date) ?? { countries: [], channels: [] }
    days.set(date, known)
    return known
  }
  for (const country of HOLIDAY_COUNTRIES) for (const date of BANK_HOLIDAYS[country]) at(date).countries.push(country)
  for (const { id, windows } of channels.all())
    for (const date of windows ? windowsConfig(windows).holidays : []) at(date).channels.push(id)
  return [...days].map(([date, of]) => ({ date, ...of })).toSorted((a, b) => (a.date < b.date ? -1 : 1))
}

function scopeItems(): Item[] {
  return SCOPES.map((scope) => ({
    scope,
    allows: SCOPE_WORDS[scope],
    is_default: ACCOUNT_SCOPES.includes(scope),
    for_tokens: TOKEN_SCOPES.includes(scope),
  }))
}

/** Those of members whose account does not operate the gateway. */
const OF_ROLES = [...SCOPES, ...PERSONAL_SCOPES]

function roleItems(): Item[] {
  return ROLES.map((role) => ({ role, scopes: OF_ROLES.filter((scope) => scopesOf(role).has(scope)) }))
}
