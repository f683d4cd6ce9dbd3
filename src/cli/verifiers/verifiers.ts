// gateway verifiers: those that there are, and the lists of the account, over HTTP. Each command is parse, one call, print.
import { readFileSync } from 'node:fs'
import { uuid, wholeNumber, wordOf } from '../arguments.ts'
import { get, post, remove } from '../client.ts'
import { CODE_TAKERS, OWN_KINDS } from '../../domain/verifier/verifier.ts'
import { apiCommand, argument, choice, groupOf, idArgument, option, required } from '../command.ts'
import { listCommand } from '../list.ts'
import { load } from './load.ts'
import { printMany, printOne, type Shows, stateText } from '../view.ts'

type Verifier = {
  readonly id: string | null
  readonly livemode: boolean
  readonly kind: string
  readonly name: string
  readonly status: string
  readonly entries: number | null
  readonly hit_from: number | null
  readonly url: string | null
  readonly secret: string | null
}
type Published = {
  readonly source: string
  readonly version: string
  readonly entries: number
  readonly loaded_at: string
  readonly checked_at: string
  readonly stale: boolean
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
  ['checked', 'checked_at'],
  ['', ({ stale }) => (stale ? 'STALE: load it anew' : null)],
]
const ENTRIES: Shows<Entry> = [
  ['id', 'id'],
  ['name', 'name'],
  ['wallet', 'wallet'],
  ['mobile', 'mobile'],
  ['email', 'email'],
  ['note', 'note'],
]
const ONE: Shows<Verifier> = [...VERIFIERS, ['url', 'url'], ['secret', 'secret']]
const ID = idArgument('<id>', 'the list', 'verifier')
const VERIFIER = idArgument('<id>', 'the verifier', 'verifier')

const list = apiCommand('list', 'list verifiers, and the published lists that are loaded', {
  examples: ['gateway verifiers list'],
  call: () => get('/verifiers'),
  print: (data: { readonly verifiers: readonly Verifier[]; readonly published_lists: readonly Published[] }) => {
    printMany(data.verifiers, VERIFIERS)
    if (data.published_lists.length > 0) printMany(data.published_lists, PUBLISHED)
  },
})

const create = apiCommand('create', 'make a list of your own, a service that is asked, or a hook that sends codes', {
  examples: [
    'gateway verifiers create --name "Not to be paid"',
    'gateway verifiers create --kind http --name "Fraud desk" --call https://fraud.example/check',
    'gateway verifiers create --kind otp --name "Codes by SMS" --call https://sms.example/send --to recipient',
  ],
  options: {
    name: required(option('<name>', 'what it is called')),
    kind: choice('<kind>', 'what it is (default: list)', OWN_KINDS),
    // Not --url: that is the gateway, which alone gets the key.
    call: option('<url>', 'of http and otp: where it is called'),
    to: choice('<who>', 'of otp: who gets the code (default: recipient)', CODE_TAKERS),
    hitFrom: option('<score>', 'from which score of 100 a name is a hit (default: 85)', wholeNumber),
  },
  call: ({ name, kind = 'list', call: url, to, hitFrom }) =>
    post('/verifiers', { kind, name, url, to, hit_from: hitFrom }),
  print: ({ verifier }: { readonly verifier: Verifier }) => printOne(verifier, ONE),
})

const rollSecret = apiCommand('roll-secret', 'make a new secret for the calls to a verifier; it is shown once', {
  examples: ['gateway verifiers roll-secret 0198… --overlap 3600'],
  arguments: [VERIFIER],
  options: { overlap: option('<seconds>', 'how long the secret before signs too', wholeNumber) },
  call: ({ overlap }, id) => post(`/verifiers/${id}/roll-secret`, { overlap_seconds: overlap }),
  print: ({ verifier }: { readonly verifier: Verifier }) => printOne(verifier, ONE),
})

type Trial = {
  readonly read_as: string
  readonly reason: string
  readonly evidence: Readonly<Record<string, unknown>>
  readonly duration_ms: number
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  readonly response: { readonly status_code: number; readonly body: string } | null
}

const TRIAL: Shows<Trial> = [
  ['read as', ({ read_as: status }) => stateText(status)],
  ['reason', 'reason'],
  ['evidence', ({ evidence }) => Object.entries(evidence).map(([name, value]) => `${name}: ${String(value)}`)],
  ['sent to', ({ request }) => request.url],
  ['headers', ({ request }) => Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)],
  ['body', ({ request }) => request.body],
  ['answered', ({ response, duration_ms: ms }) => `${response?.status_code ?? 'nothing'}, in ${ms} ms`],
  ['with', ({ response }) => response?.body ?? null],
]

const tryOut = apiCommand('try', 'send a sample to a verifier that is called, and show how its reply is read', {
  examples: ['gateway verifiers try 0198…'],
  arguments: [VERIFIER],
  call: (_, id) => post(`/verifiers/${id}/try`, {}),
  print: ({ verifier_trial: trial }: { readonly verifier_trial: Trial }) => printOne(trial, TRIAL),
  failed: ({ verifier_trial: { read_as: status } }) => status === 'unavailable',
})

const archive = apiCommand('archive', 'take a verifier of your own out of use', {
  examples: ['gateway verifiers archive 0198…'],
  arguments: [VERIFIER],
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
    'gateway verifiers entries add 0198… --name "Felix Moravec" --note "reported by our bank"',
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
  rollSecret,
  tryOut,
  archive,
  load,
  groupOf('entries', 'the entries of a list of your own', [entries, add, drop]),
])
