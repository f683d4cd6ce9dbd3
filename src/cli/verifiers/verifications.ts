// gateway verifications: ask about a payee, and look at what was answered. A member who signs in for it gives a person's word: no key can.
import { VERIFICATION_KINDS, VERIFICATION_STATUSES } from '../../domain/verifier/verification.ts'
import { uuid } from '../arguments.ts'
import { get, post, put } from '../client.ts'
import { agreed, refuseUnanswerable } from '../confirm.ts'
import {
  apiCommand,
  argument,
  choice,
  command,
  flag,
  groupOf,
  idArgument,
  idOption,
  option,
  required,
} from '../command.ts'
import { listCommand } from '../list.ts'
import { asMember, MEMBER, MEMBER_NOTES } from '../members/sign-in.ts'
import { note } from '../output.ts'
import { printOne, type Shows, wordsOf } from '../view.ts'

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
  contract: idOption('<id>', 'only those of a contract', 'transfer'),
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
    'gateway verifications create --kind list --to-name "Felix Moravec"',
  ],
  options: {
    kind: choice('<kind>', 'what is asked', ['name', 'mobile', 'chain_address', 'list']),
    verifier: idOption('<id>', 'one of your own, in place of a kind', 'verifier'),
    contract: idOption('<id>', 'the recipient of a transfer', 'transfer'),
    profile: idOption('<id>', 'somebody saved, by the default destination', 'profile'),
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

/** Of one that waits: who is paid, and what the verifier said. Beside the result, so that --json stays JSON. */
const noteWaiting = ({ id, kind, recipient, match, score, reason }: Verification) => {
  const likeness = match === null ? null : `${match}, ${score ?? '-'} of 100`
  note(`${id}: ${wordsOf(kind, recipient.name, likeness, reason)}`)
}

/** The two words that end a review. */
const verdictOf = (verdict: 'pass' | 'fail', what: string, asked: string) =>
  command(verdict, what, {
    examples: [`gateway verifications ${verdict} 0198… --reason "seen with the passport" --email ana@shop.example`],
    arguments: [argument('<id>', 'the verification', uuid)],
    options: {
      ...MEMBER,
      reason: required(option('<text>', 'why; it is kept with your name')),
      yes: flag('do it without asking'),
    },
    notes: MEMBER_NOTES,
    run: async ({ yes, reason, ...member }, id) => {
      refuseUnanswerable(yes)
      return asMember(member, async (gateway) => {
        const found = await gateway.verifications.get(id)
        noteWaiting(found)
        await agreed(() => ({ about: asked, isLive: found.livemode }), yes)
        return { verification: await gateway.verifications[verdict](id, { reason }) }
      })
    },
    print: printed,
  })

const pass = verdictOf('pass', 'say as a member that a payee under review is right', 'Say that this is right?')
const fail = verdictOf('fail', 'say as a member that a payee under review is not right', 'Say that this is not right?')

export const verifications = groupOf('verifications', 'ask whether a payee is who you think', [
  list,
  create,
  show,
  retry,
  answer,
  pass,
  fail,
])
