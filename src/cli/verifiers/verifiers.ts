// gateway verifiers: those that there are, and the lists of the account, over HTTP. Each command is parse, one call, print.
import { readFileSync } from 'node:fs'
import { uuid, wholeNumber, wordOf } from '../arguments.ts'
import { get, post, remove } from '../client.ts'
import { apiCommand, argument, groupOf, option, required } from '../command.ts'
import { listCommand } from '../list.ts'
import { printMany, printOne, type Shows } from '../view.ts'

type Verifier = {
  readonly id: string | null
  readonly livemode: boolean
  readonly kind: string
  readonly name: string
  readonly status: string
  readonly entries: number | null
  readonly hit_from: number | null
}
type Published = {
  readonly source: string
  readonly version: string
  readonly entries: number
  readonly loaded_at: string
}
type Entry = {
  readonly id: string
  readonly name: string | null
  readonly wallet: string | null
  readonly mobile: string | null
  readonly email: string | null
  readonly note: string | null
}

const VERIFIERS: Shows<Verifier> = [
  ['id', ({ id }) => id ?? 'built in'],
  ['kind', 'kind'],
  ['name', 'name'],
  ['status', 'status'],
  ['entries', 'entries'],
  ['mode', 'livemode'],
]
const PUBLISHED: Shows<Published> = [
  ['list', 'source'],
  ['version', 'version'],
  ['entries', 'entries'],
  ['loaded', 'loaded_at'],
]
const ENTRIES: Shows<Entry> = [
  ['id', 'id'],
  ['name', 'name'],
  ['wallet', 'wallet'],
  ['mobile', 'mobile'],
  ['email', 'email'],
  ['note', 'note'],
]
const ID = argument('<id>', 'the list', uuid)

const list = apiCommand('list', 'list verifiers, and the published lists that are loaded', {
  examples: ['gateway verifiers list'],
  call: () => get('/verifiers'),
  print: (data: { readonly verifiers: readonly Verifier[]; readonly published_lists: readonly Published[] }) => {
    printMany(data.verifiers, VERIFIERS)
    if (data.published_lists.length > 0) printMany(data.published_lists, PUBLISHED)
  },
})

const create = apiCommand('create', 'make a list of your own, of whom is not to be paid', {
  examples: ['gateway verifiers create --name "Not to be paid"'],
  options: {
    name: required(option('<name>', 'what it is called')),
    hitFrom: option('<score>', 'from which score of 100 a name is a hit (default: 85)', wholeNumber),
  },
  call: ({ name, hitFrom }) => post('/verifiers', { kind: 'list', name, hit_from: hitFrom }),
  print: ({ verifier }: { readonly verifier: Verifier }) => printOne(verifier, VERIFIERS),
})

const archive = apiCommand('archive', 'take a list of your own out of use', {
  examples: ['gateway verifiers archive 0198…'],
  arguments: [ID],
  call: (_, id) => remove(`/verifiers/${id}`),
  print: ({ verifier }: { readonly verifier: Verifier }) => printOne(verifier, VERIFIERS),
})

const entries = listCommand<Entry, [typeof ID]>('list', 'list the entries of a list of your own', {
  examples: ['gateway verifiers entries list 0198…', 'gateway verifiers entries list 0198… --all --csv'],
  arguments: [ID],
  member: 'entries',
  columns: ENTRIES,
  csv: ['id', 'name', 'wallet', 'mobile', 'email', 'note'],
  call: (_, id) => get(`/verifiers/${id}/entries`),
})

const file = wordOf('Give a file that can be read.', (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
})

const add = apiCommand('add', 'add entries: one by its options, or a file with a name on each line', {
  examples: [
    'gateway verifiers entries add 0198… --name "Viktor Bout" --note "reported by our bank"',
    'gateway verifiers entries add 0198… --names blocked.txt',
  ],
  arguments: [ID],
  options: {
    name: option('<name>', 'of a person or firm'),
    wallet: option('<account>', 'an account number or address'),
    mobile: option('<number>', 'such as 09171234567'),
    email: option('<address>'),
    note: option('<text>', 'why'),
    names: option('<file>', 'a file with a name on each line, at most 1,000', file),
  },
  call: ({ names, name, wallet, mobile, email, note }, id) => {
    const one = { name, wallet, mobile, email, note }
    const lines = (names ?? '').split(/\r?\n/).filter((line) => line.trim() !== '')
    const sent = names === undefined ? [one] : lines.map((line) => ({ name: line, note }))
    return post(`/verifiers/${id}/entries`, { entries: sent })
  },
  print: ({ entries: added }: { readonly entries: readonly Entry[] }) => printMany(added, ENTRIES),
})

const drop = apiCommand('remove', 'remove an entry', {
  examples: ['gateway verifiers entries remove 0198… 0199…'],
  arguments: [ID, argument('<entry>', 'the entry', uuid)],
  call: (_, id, entry) => remove(`/verifiers/${id}/entries/${entry}`),
  print: ({ verifier }: { readonly verifier: Verifier }) => printOne(verifier, VERIFIERS),
})

export const verifiers = groupOf('verifiers', 'what verifies payees, and your own lists', [
  list,
  create,
  archive,
  groupOf('entries', 'the entries of a list of your own', [entries, add, drop]),
])
