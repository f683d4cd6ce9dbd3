// gateway verifications: ask about a payee, and look at what was answered. A person's word is given at /console: no key can.
import { VERIFICATION_KINDS, VERIFICATION_STATUSES } from '../../domain/verifier/verification.ts'
import { uuid } from '../arguments.ts'
import { get, post, put } from '../client.ts'
import { apiCommand, argument, choice, groupOf, idArgument, option } from '../command.ts'
import { listCommand } from '../list.ts'
import { printOne, type Shows } from '../view.ts'

type Verification = {
  readonly id: string
  readonly livemode: boolean
  readonly kind: string
  readonly status: string
  readonly match: string | null
  readonly score: number | null
  readonly recipient: { readonly name: string | null }
  readonly contract_id: string | null
  readonly reason: string | null
  readonly created_at: string
}

const MANY: Shows<Verification> = [
  ['id', 'id'],
  ['kind', 'kind'],
  ['status', 'status'],
  ['match', 'match'],
  ['recipient', ({ recipient }) => recipient.name],
  ['created', 'created_at'],
]
const ONE: Shows<Verification> = [
  ...MANY,
  ['mode', 'livemode'],
  ['score', 'score'],
  ['contract', 'contract_id'],
  ['reason', 'reason'],
]
const ID = idArgument('<id>', 'the verification', 'verification')
const printed = ({ verification }: { readonly verification: Verification }) => printOne(verification, ONE)

const FILTER = {
  status: choice('<status>', 'only those that are; review waits for a person', VERIFICATION_STATUSES),
  kind: choice('<kind>', 'only those of a kind', VERIFICATION_KINDS),
  contract: option('<id>', 'only those of a contract', uuid),
}

const list = listCommand<Verification, [], typeof FILTER>('list', 'list verifications, newest first', {
  examples: ['gateway verifications list --status review'],
  options: FILTER,
  member: 'verifications',
  columns: MANY,
  csv: ['id', 'kind', 'status', 'match', 'score', 'contract_id', 'reason', 'created_at'],
  call: ({ status, kind, contract }) => get('/verifications', { status, kind, contract }),
})

const create = apiCommand('create', 'ask about a payee; it moves nothing', {
  examples: [
    'gateway verifications create --kind name --contract 0198…',
    'gateway verifications create --kind name --channel sandbox --to-name "Juan dela Cruz" --to-wallet 000123456780',
    'gateway verifications create --kind list --to-name "Viktor Bout"',
  ],
  options: {
    kind: choice('<kind>', 'what is asked', ['name', 'mobile', 'chain_address', 'list']),
    verifier: option('<id>', 'one of your own, in place of a kind', uuid),
    contract: option('<id>', 'the recipient of a transfer', uuid),
    profile: option('<id>', 'somebody saved, by the default destination', uuid),
    channel: option('<id>', 'by which channel it would be paid'),
    toName: option('<name>', 'the name of the payee'),
    toWallet: option('<account>', 'account number, number or address'),
    toMobile: option('<number>', 'such as 09171234567'),
  },
  call: ({ kind, verifier, contract, profile, channel, toName, toWallet, toMobile }) => {
    const isWritten = contract === undefined && profile === undefined
    const recipient = isWritten ? { name: toName, wallet: toWallet, mobile: toMobile } : undefined
    return post('/verifications', { kind, verifier, contract, profile, channel, recipient })
  },
  print: printed,
})

const show = apiCommand('get', 'show a verification', {
  examples: ['gateway verifications get 0198…'],
  arguments: [ID],
  call: (_, id) => get(`/verifications/${id}`),
  print: printed,
})

const answer = apiCommand('answer', 'give back a one-time code that was sent', {
  examples: ['gateway verifications answer 0198… 123456'],
  arguments: [ID, argument('<code>', 'the six digits')],
  call: (_, id, code) => post(`/verifications/${id}/answer`, { code }),
  print: printed,
})

const retry = apiCommand('retry', 'ask again where a verifier gave no answer, or have a code sent again', {
  examples: ['gateway verifications retry 0198…'],
  arguments: [ID],
  call: (_, id) => put(`/verifications/${id}/retry`),
  print: printed,
})

export const verifications = groupOf('verifications', 'ask whether a payee is who you think', [
  list,
  create,
  show,
  retry,
  answer,
])
