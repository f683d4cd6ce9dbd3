// Profiles for people to read: one with the ways to pay it, a table of many, and those that are likely the same person.
import type { presentDuplicates, presentProfile } from '../../wire/profiles/profile.ts'
import { print, type Text, warn } from '../output.ts'
import { printMany, printOne, type Shows, stateText, wordsOf } from '../view.ts'

export type Profile = ReturnType<typeof presentProfile>
type Destination = Profile['destinations'][number]
export type Written = { readonly profile: Profile; readonly duplicates?: ReturnType<typeof presentDuplicates> }

const PROFILE: Shows<Profile> = [
  ['profile', 'id'],
  ['mode', 'livemode'],
  ['status', ({ status, version }) => `${stateText(status)} (version ${version})`],
  ['relation', ({ relation }) => RELATIONS[relation]],
  ['type', 'type'],
  ['name', 'name'],
  ['email', 'email'],
  ['mobile', 'mobile'],
  ['address', 'address'],
  ['country', 'country'],
  ['reference', 'reference'],
  [
    'metadata',
    ({ metadata }) => wordsOf(...Object.entries(metadata).map(([name, value]) => `${name}=${value}`)) || null,
  ],
]

const RELATIONS = {
  own: 'your own',
  contact: 'somebody you deal with',
  payer: 'another account that paid you; you see its name alone',
} as const

export const PROFILES: Shows<Profile> = [
  ['profile', 'id'],
  ['type', 'type'],
  ['name', 'name'],
  ['mobile', 'mobile'],
  ['email', 'email'],
  ['reference', 'reference'],
  ['channels', ({ destinations }) => [...new Set(inUse(destinations).map(({ channel }) => channel))]],
  ['status', ({ status }) => (status === 'active' ? null : status)],
]

export const VERSIONS: Shows<Profile> = [
  ['version', 'version'],
  ['status', 'status'],
  ['name', 'name'],
  ['mobile', 'mobile'],
  ['email', 'email'],
  ['destinations', ({ destinations }) => inUse(destinations).length],
  ['updated', 'updated_at'],
]

const DESTINATIONS: Shows<Destination> = [
  ['destination', 'id'],
  ['channel', 'channel'],
  ['account', ({ recipient }) => accountText(recipient)],
  ['label', 'label'],
  ['', ({ default: isDefault, status }) => (status === 'archived' ? status : isDefault ? 'default' : null)],
  ['version', 'version'],
  ['changed', 'changed_at'],
]

const inUse = (destinations: readonly Destination[]) => destinations.filter(({ status }) => status === 'active')

function accountText({ wallet, tag, mobile, email }: Destination['recipient']): Text {
  return wordsOf(wallet ?? mobile ?? email, tag)
}

export function printProfile({ profile, duplicates = [] }: Written): void {
  printOne(profile, PROFILE)
  if (profile.destinations.length > 0) {
    print()
    printMany(profile.destinations, DESTINATIONS)
  }
  for (const { id, name, same } of duplicates)
    warn(`${name ?? 'A profile'} (${id}) has the same ${same.join(' and ')}: likely the same person.`)
}

/** Of the API's names; the destination is the default one. */
const COLUMNS = [
  'id',
  'type',
  'status',
  'name',
  'email',
  'mobile',
  'address',
  'country',
  'reference',
  'version',
  'created_at',
  'updated_at',
] as const
const OF_DESTINATION = ['channel', 'wallet', 'tag', 'mobile'] as const

export const PROFILE_CSV: readonly string[] = [...COLUMNS, ...OF_DESTINATION.map((name) => `destination.${name}`)]

/** Its default destination beside it. */
export function csvCells(profile: Profile): (string | number | null)[] {
  const used = inUse(profile.destinations).find((each) => each.default)
  const account = used && [used.channel, used.recipient.wallet, used.recipient.tag, used.recipient.mobile]
  return [...COLUMNS.map((name) => profile[name]), ...(account ?? OF_DESTINATION.map(() => null))]
}
