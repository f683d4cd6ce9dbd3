// A contract's version as the JSON of its row, and back: what both kinds have alike, which is what was agreed on and
// who did what. It may gain members; those it has keep their meaning, for versions are never rewritten.
import type { OwnedKey } from '../columns.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import {
  type Activity,
  type Changes,
  type Deliverable,
  NO_RECIPIENT,
  type Terms,
  type Transfer,
} from '../../domain/transfer/transfer.ts'
import { absent, amount, codecOf, type Field, type Fields, flag, kept, type Members, optional } from './fields.ts'

/** Whose contract it is: the part of a row's key that the document does not repeat. */
export type ContractKey = OwnedKey

export type StoredActivity = [
  type: Activity['type'],
  at: number,
  actor?: 'gateway' | 'payer' | number,
  data?: Activity['data'] | Changes | null,
  epoch?: number,
]

const NO_DELIVERABLE: Deliverable = { type: null, referenceId: null, description: null, details: null }

/** A record of which only what is not null is stored, or null. */
function part<T extends object>(name: string, blank: T): Field<T | null> {
  return {
    name,
    write: (value) => (value ? withoutNulls(value) : undefined),
    read: (stored) => (stored ? { ...blank, ...stored } : null),
  }
}

const OPENING = {
  status: kept<Contract['status']>('status'),
  version: kept<number>('version'),
  sequence: kept<number>('sequence'),
  livemode: flag('livemode'),
}

/** What was agreed on; the channel's id stands beside its version. */
const TERMS: Fields<Omit<Terms, 'channelId'>> = {
  amountMinor: amount('amount_minor'),
  currency: kept('currency'),
  issuedTo: optional('issued_to'),
  description: optional('description'),
  deliverable: part('deliverable', NO_DELIVERABLE),
  recipient: part('recipient', NO_RECIPIENT),
  recipientProfile: absent('recipient_profile'),
  issuedToProfile: absent('issued_to_profile'),
  metadata: absent('metadata'),
}

const FOLDED: Fields<Required<Pick<Transfer, 'folded'>>> = { folded: absent('folded') }

/** What the documents of both kinds have alike. The rest is declared for each kind. */
type Shared = keyof ContractKey | keyof typeof OPENING | 'kind' | 'terms' | 'channelVersion' | 'activities' | 'folded'

type Stored = Record<string, unknown> & {
  readonly channel?: readonly [id: string, version: number | null]
  /** The API keys that the activities name, by their place from 1 on. */
  readonly by?: readonly string[]
  readonly activities: readonly StoredActivity[]
}

/** Writes and reads the documents of one kind, with the members that it alone has between the terms and the activities. */
export function documentsOf<T extends Contract>(kind: Field<T['kind']>, own: Fields<Omit<T, Shared>>) {
  const opening = codecOf({ kind, ...OPENING })
  const { metadata, ...agreed } = TERMS
  const terms = codecOf(agreed)
  const notes = codecOf({ metadata })
  const rest = codecOf(own)
  const folded = codecOf(FOLDED)
  const owner = { id: '', lane: 0, accountId: '' }
  const blank = { ...opening.blank, ...owner, terms: null, channelVersion: null, ...rest.blank, activities: null }
  const blankTerms = { ...terms.blank, channelId: null }
  // In the order in which they stand.
  const blankStored = {
    ...opening.blankStored,
    ...terms.blankStored,
    channel: undefined,
    ...rest.blankStored,
    ...notes.blankStored,
    by: undefined,
    activities: undefined,
    ...folded.blankStored,
  }
  return {
    text: (contract: T): string => {
      const stored: Members = { ...blankStored }
      const { channelId } = contract.terms
      const by: string[] = []
      opening.write(contract, stored)
      terms.write(contract.terms, stored)
      if (channelId !== null) stored['channel'] = [channelId, contract.channelVersion]
      rest.write(contract, stored)
      notes.write(contract.terms, stored)
      stored['activities'] = storedOf(contract.activities, by)
      if (by.length > 0) stored['by'] = by
      folded.write(contract, stored)
      return JSON.stringify(stored)
    },
    from: (key: ContractKey, document: unknown): T => {
      const stored = document as Stored
      const contract: Members = { ...blank }
      const agreedOn: Members = { ...blankTerms }
      opening.read(stored, contract)
      contract['id'] = key.id
      contract['lane'] = key.lane
      contract['accountId'] = key.accountId
      terms.read(stored, agreedOn)
      notes.read(stored, agreedOn)
      agreedOn['channelId'] = stored.channel?.[0] ?? null
      contract['terms'] = agreedOn
      contract['channelVersion'] = stored.channel?.[1] ?? null
      rest.read(stored, contract)
      contract['activities'] = activitiesOf(stored.activities, stored.by)
      folded.read(stored, contract)
      return contract as T
    },
  }
}

const isChanges = (data: NonNullable<Activity['data']> | Changes): data is Changes => Array.isArray(data['changed'])

/** The activities as they are stored. A key is named by its place in `by`, which takes those that are not in it yet. */
function storedOf(activities: readonly Activity[], by: string[]): StoredActivity[] {
  return activities.map(({ type, at, actor, data, changes, proxy, epoch }) => {
    const who = actor === 'account' ? placeOf(proxy ?? null, by) : actor
    const more = data ?? changes
    if (epoch !== undefined) return [type, at, who, more ?? null, epoch]
    if (more) return [type, at, who, more]
    return who === 0 ? [type, at] : [type, at, who]
  })
}

function placeOf(keyId: string | null, by: string[]): number {
  if (keyId === null) return 0
  const known = by.indexOf(keyId) + 1
  return known > 0 ? known : by.push(keyId)
}

export function activitiesOf(stored: readonly StoredActivity[], by: readonly string[] = []): Activity[] {
  return stored.map(([type, at, who = 0, data, epoch]) => {
    const isAccount = typeof who === 'number'
    const proxy = isAccount ? (by[who - 1] ?? null) : null
    const line = { type, at, actor: isAccount ? ('account' as const) : who, proxy, ...(epoch ? { epoch } : {}) }
    return data && isChanges(data) ? { ...line, data: null, changes: data } : { ...line, data: data ?? null }
  })
}

export function withoutNulls<T extends object>(whole: T): { [member in keyof T]?: NonNullable<T[member]> } {
  const kept: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(whole)) if (value !== null) kept[member] = value
  return kept as { [member in keyof T]?: NonNullable<T[member]> }
}
