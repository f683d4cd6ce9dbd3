// gateway profiles: whom the account deals with and how they are paid, over HTTP. Each command is parse, one call, print.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import { PROFILE_STATUSES, PROFILE_TYPES } from '../../domain/profile/profile.ts'
import { jsonObject, metadataPair, uuid, wholeNumber, wordOf } from '../arguments.ts'
import { type Call, get, patch, post, put, remove } from '../client.ts'
import { apiCommand, argument, choice, flag, groupOf, option, required, type Values } from '../command.ts'
import { IDEMPOTENCY } from '../contracts/contract-commands.ts'
import { listCommand } from '../list.ts'
import { readId } from '../short-ids.ts'
import { csvCells, printProfile, type Profile, PROFILE_CSV, PROFILES, VERSIONS, type Written } from './profile-view.ts'

const PATH = '/profiles'
const ID = {
  ...argument(
    '<id>',
    'the profile, or "me" for your own',
    wordOf('Give the id of a profile, or "me".', (text) => (text === 'me' ? text : readId(text))),
  ),
  noun: 'profile',
} as const
const DESTINATION = argument('<destination>', 'its destination', uuid)
const GUARD = { ifMatch: option('<version>', 'only if the profile still stands at this version', wholeNumber) }

const FACTS = {
  name: option('<name>', 'of the person or firm'),
  type: choice('<type>', 'what it is (default: person)', PROFILE_TYPES),
  email: option('<address>'),
  mobile: option('<number>', 'such as +639171234567 or 09171234567'),
  country: option('<code>', 'of two letters, such as PH'),
  address: option('<text>', 'postal address'),
  reference: option('<text>', 'your own reference, such as a customer number'),
  metadata: option('<name=value>', 'a pair of your own; may be given again', metadataPair),
  data: option('<json>', 'any fields of the API, as a JSON object', jsonObject),
}

function factsOf({ data, ...options }: Values<typeof FACTS>) {
  const { name, type, email, mobile, country, address, reference, metadata } = options
  return { ...data, ...given({ name, type, email, mobile, country, address, reference, metadata }) }
}

const given = (object: object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

const FILTER = {
  type: choice('<type>', 'only those that are', PROFILE_TYPES),
  status: choice('<status>', 'only those that are', PROFILE_STATUSES),
  reference: option('<text>', 'only those with this reference of yours'),
  email: option('<address>', 'only those with this address'),
  mobile: option('<number>', 'only those with this number'),
}
const list = listCommand<Profile, [], typeof FILTER>('list', 'list profiles, newest first', {
  examples: ['gateway profiles list --mobile 09171234567', 'gateway profiles list --all --csv > profiles.csv'],
  options: FILTER,
  member: 'profiles',
  columns: PROFILES,
  csv: PROFILE_CSV,
  csvRow: csvCells,
  call: ({ type, status, reference, email, mobile }) => get(PATH, { type, status, reference, email, mobile }),
})

const create = apiCommand('create', 'save somebody; others that are likely the same person are named', {
  examples: [
    'gateway profiles create --name "Ana Cruz" --mobile 09171234567',
    'gateway profiles create --type business --name "Reyes & Co" --reference supplier-17 --idempotency-key s17',
  ],
  options: { ...FACTS, ...IDEMPOTENCY },
  call: ({ idempotencyKey, ...facts }) => post(PATH, factsOf(facts), { idempotencyKey }),
  print: printProfile,
})

const show = apiCommand('get', 'show a profile and the ways to pay it', {
  examples: ['gateway profiles get 0198…', 'gateway profiles get me', 'gateway profiles get 0198… --version 2'],
  arguments: [ID],
  options: { version: option('<n>', 'as that version had it', wholeNumber) },
  call: ({ version }, id) => get(`${PATH}/${id}`, { version }),
  print: printProfile,
})

const versions = listCommand<Profile, [typeof ID]>('versions', 'list the versions of a profile, newest first', {
  examples: ['gateway profiles versions 0198…'],
  arguments: [ID],
  member: 'profiles',
  columns: VERSIONS,
  csv: PROFILE_CSV,
  call: (_, id) => get(`${PATH}/${id}/versions`),
})

const update = apiCommand('update', 'change a profile; only what is given changes, and no contract does', {
  examples: [
    'gateway profiles update 0198… --mobile 09189876543',
    `gateway profiles update me --data '{"email":null}'`,
  ],
  arguments: [ID],
  options: { ...GUARD, ...FACTS },
  call: ({ ifMatch, ...facts }, id) => patch(`${PATH}/${id}`, factsOf(facts), { ifMatch }),
  print: printProfile,
})

const archive = apiCommand('archive', 'take a profile out of use; contracts that used it stay as they are', {
  examples: ['gateway profiles archive 0198…'],
  arguments: [ID],
  options: GUARD,
  call: ({ ifMatch }, id) => remove(`${PATH}/${id}`, undefined, { ifMatch }),
  print: printProfile,
})

const restore = apiCommand('restore', 'take an archived profile into use again', {
  examples: ['gateway profiles restore 0198…'],
  arguments: [ID],
  options: GUARD,
  call: ({ ifMatch }, id) => put(`${PATH}/${id}/restore`, undefined, { ifMatch }),
  print: printProfile,
})

const CHANNEL = option('<id>', `the channel that pays it, such as ${EXAMPLES.eWallet} or ${EXAMPLES.trial}`)
const TERMS = {
  label: option('<text>', 'your own name for it'),
  default: flag('used by drafts that name none'),
  toName: option('<name>', 'in place of the profile’s name'),
  toWallet: option('<account>', 'account number, e-wallet number or wallet id'),
  toTag: option('<text>', 'bank code, memo or destination tag'),
  toMobile: option('<number>', 'of the e-wallet (default: the profile’s)'),
}

function termsOf({ label, default: isDefault, toName, toWallet, toTag, toMobile }: Values<typeof TERMS>) {
  const recipient = given({ name: toName, wallet: toWallet, tag: toTag, mobile: toMobile })
  return { label, default: isDefault, ...(Object.keys(recipient).length === 0 ? {} : { recipient }) }
}

const add = apiCommand('add', 'save a way to pay a profile; the first one is the default', {
  examples: [
    'gateway profiles destinations add 0198… --channel sandbox --to-wallet 0012345678',
    `gateway profiles destinations add 0198… --channel ${EXAMPLES.eWallet} --label phone --default`,
  ],
  arguments: [ID],
  options: { channel: required(CHANNEL), ...TERMS, ...GUARD, ...IDEMPOTENCY },
  call: ({ channel, ifMatch, idempotencyKey, ...terms }, id): Call =>
    post(`${PATH}/${id}/destinations`, { channel, ...termsOf(terms) }, { ifMatch, idempotencyKey }),
  print: (written: Written) => printProfile(written),
})

const change = apiCommand('update', 'change a way to pay a profile; only what is given changes', {
  examples: ['gateway profiles destinations update 0198… 0199… --to-wallet 0099999999'],
  arguments: [ID, DESTINATION],
  options: { channel: CHANNEL, ...TERMS, ...GUARD },
  call: ({ channel, ifMatch, ...terms }, id, destination) =>
    patch(`${PATH}/${id}/destinations/${destination}`, { channel, ...termsOf(terms) }, { ifMatch }),
  print: (written: Written) => printProfile(written),
})

const drop = apiCommand('remove', 'take a way to pay a profile out of use', {
  examples: ['gateway profiles destinations remove 0198… 0199…'],
  arguments: [ID, DESTINATION],
  options: GUARD,
  call: ({ ifMatch }, id, destination) => remove(`${PATH}/${id}/destinations/${destination}`, undefined, { ifMatch }),
  print: (written: Written) => printProfile(written),
})

export const profiles = groupOf('profiles', 'save whom you deal with, and how they are paid', [
  list,
  create,
  show,
  versions,
  update,
  archive,
  restore,
  groupOf('destinations', 'the saved ways to pay a profile', [add, change, drop]),
])
