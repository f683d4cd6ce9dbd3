// gateway policies: what may leave the account, over HTTP; and what policies would say of a transfer.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import { POLICY_STATUSES } from '../../domain/policy/policy.ts'
import { currency, decimalNumber, wholeNumber, wordOf } from '../arguments.ts'
import { get, patch, post, put, remove } from '../client.ts'
import { apiCommand, argument, choice, groupOf, idOption, option } from '../command.ts'
import { IDEMPOTENCY } from '../contracts/contract-commands.ts'
import { listCommand } from '../list.ts'
import { print } from '../output.ts'
import { someId } from '../short-ids.ts'
import { printMany } from '../view.ts'
import { POLICIES, type Policy, POLICY_CSV, printEvaluation, printPolicy, VERSIONS } from './policy-view.ts'
import { rehearse } from './rehearse.ts'
import { objectIn, TRIED } from './tried.ts'

const given = (object: object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

const PATH = '/policies'
const ID = { ...argument('<id>', 'the policy', someId), noun: 'policy' } as const
const GUARD = { ifMatch: option('<version>', 'only if the policy still stands at this version', wholeNumber) }

const FILE = argument(
  '<file>',
  'a file with the policy as JSON (docs/policies.md)',
  wordOf('Give a file that holds one JSON object.', objectIn),
)

const FILTER = { status: choice('<status>', 'only those that are', POLICY_STATUSES) }
const list = listCommand<Policy, [], typeof FILTER>('list', 'list policies, newest first', {
  examples: ['gateway policies list --status active'],
  options: FILTER,
  member: 'policies',
  columns: POLICIES,
  csv: POLICY_CSV,
  call: ({ status }) => get(PATH, { status }),
})

const show = apiCommand('get', 'show a policy and what it does', {
  examples: ['gateway policies get 0198…', 'gateway policies get 0198… --version 2'],
  arguments: [ID],
  options: { version: option('<n>', 'as that version had it', wholeNumber) },
  call: ({ version }, id) => get(`${PATH}/${id}`, { version }),
  print: printPolicy,
})

const versions = listCommand<Policy, [typeof ID]>('versions', 'list the versions of a policy, newest first', {
  examples: ['gateway policies versions 0198…'],
  arguments: [ID],
  member: 'policies',
  columns: VERSIONS,
  csv: POLICY_CSV,
  call: (_, id) => get(`${PATH}/${id}/versions`),
})

const create = apiCommand('create', 'make a policy, which holds from the next payment on', {
  examples: [
    'gateway policies create daily-limit.json',
    'gateway policies create daily-limit.json --idempotency-key d1',
  ],
  arguments: [FILE],
  options: IDEMPOTENCY,
  call: ({ idempotencyKey }, body) => post(PATH, body, { idempotencyKey }),
  print: printPolicy,
})

const update = apiCommand('update', 'change a policy; what the file leaves out stays', {
  examples: ['gateway policies update 0198… daily-limit.json --if-match 3'],
  arguments: [ID, FILE],
  options: GUARD,
  call: ({ ifMatch }, id, body) => patch(`${PATH}/${id}`, body, { ifMatch }),
  print: printPolicy,
})

const pause = apiCommand('pause', 'keep a policy, and do not ask it', {
  examples: ['gateway policies pause 0198…'],
  arguments: [ID],
  options: GUARD,
  call: ({ ifMatch }, id) => put(`${PATH}/${id}/pause`, undefined, { ifMatch }),
  print: printPolicy,
})

const resume = apiCommand('resume', 'ask a paused policy again', {
  examples: ['gateway policies resume 0198…'],
  arguments: [ID],
  options: GUARD,
  call: ({ ifMatch }, id) => put(`${PATH}/${id}/resume`, undefined, { ifMatch }),
  print: printPolicy,
})

const archive = apiCommand('archive', 'end a policy for good', {
  examples: ['gateway policies archive 0198…'],
  arguments: [ID],
  options: GUARD,
  call: ({ ifMatch }, id) => remove(`${PATH}/${id}`, undefined, { ifMatch }),
  print: printPolicy,
})

const preview = apiCommand('preview', 'show what a policy would say, before it is made', {
  examples: ['gateway policies preview daily-limit.json'],
  arguments: [FILE],
  call: (_, body) => post(`${PATH}/preview`, body),
  print: ({ preview: shown }: { readonly preview: { readonly sentence: string } }) => print(shown.sentence),
})

const place = apiCommand('place', 'put a policy at its place in the order in which they are asked', {
  examples: ['gateway policies place 0198… --before 0198…', 'gateway policies place 0198…'],
  arguments: [ID],
  options: { before: idOption('<id>', 'right before this one (default: the last of all)', 'policy') },
  call: ({ before }, id) => put(`${PATH}/${id}/place`, { before: before ?? null }),
  print: ({ policies: all }: { readonly policies: readonly Policy[] }) => printMany(all, POLICIES),
})

const trial = apiCommand('test', 'try policies on a transfer, and show why; nothing is written', {
  examples: [
    `gateway policies test --amount 60000 --currency PHP --channel ${EXAMPLES.eWallet} --to-mobile 09171234567`,
    'gateway policies test daily-limit.json --contract 0198…',
  ],
  arguments: [TRIED],
  options: {
    contract: idOption('<id>', 'the transfer contract to try', 'transfer'),
    amount: option('<amount>', 'of a draft, in major units', decimalNumber),
    currency: option('<code>', 'of the draft', currency),
    channel: option('<id>', 'by which it would be paid'),
    toName: option('<name>', 'of the recipient'),
    toWallet: option('<account>', 'account number, e-wallet number or wallet id of the recipient'),
    toMobile: option('<number>', 'of the recipient'),
    toCountry: option('<code>', 'of the recipient, two letters'),
    profile: idOption('<id>', 'the profile that would be paid', 'profile'),
    source: idOption('<wallet>', 'the wallet that would pay', 'wallet'),
    key: option('<key>', 'as if this API key paid'),
    member: idOption('<id>', 'as if this member paid', 'member'),
    at: option('<time>', 'as if it were paid then, such as 2026-11-01T08:00:00Z'),
  },
  call: ({ contract, amount, source, key, member, at, ...to }, tried) => {
    const recipient = given({
      name: to.toName,
      wallet: to.toWallet,
      mobile: to.toMobile,
      country: to.toCountry,
      profile: to.profile,
    })
    const named = Object.keys(recipient).length === 0 ? {} : { recipient }
    const draft =
      amount === undefined ? undefined : given({ amount, currency: to.currency, channel: to.channel, ...named })
    const body = given({ contract_id: contract, draft, source, key, member, at })
    if (typeof tried === 'string') return post(`${PATH}/${tried}/evaluate`, body)
    return post(`${PATH}/evaluate`, { ...body, ...(tried === undefined ? {} : { policy: tried }) })
  },
  print: printEvaluation,
  failed: ({ evaluation }: Parameters<typeof printEvaluation>[0]) => evaluation.decision === 'denied',
})

export const policies = groupOf('policies', 'say what may leave the account, and who approves it', [
  list,
  show,
  versions,
  create,
  update,
  pause,
  resume,
  archive,
  preview,
  place,
  trial,
  rehearse,
])
