// gateway approvals: what waits for a member's word, approved or rejected by a member who signs in for it. No key approves anything.
import type { ApprovalResult, QueuedApproval } from '../../../sdk/src/index.ts'
import { repeated, uuid } from '../arguments.ts'
import { argument, choice, command, flag, groupOf, option, required } from '../command.ts'
import { agreed, refuseUnanswerable } from '../confirm.ts'
import { CommandFailed } from '../failures.ts'
import { asMember, MEMBER, MEMBER_NOTES } from '../members/sign-in.ts'
import { note, paint, print } from '../output.ts'
import { moneyText, printMany, printOne, type Shows, stateText, wordsOf } from '../view.ts'

const SHOWN_MOST = 100
const STATUSES = ['waiting', 'approved', 'rejected', 'ended'] as const

/** How much, with its fees, by which channel, and to whom. */
function paysWords({ amount, currency, preview, channel, recipient }: QueuedApproval['contract']): string {
  const whom = [recipient?.name, recipient?.wallet].filter(Boolean).join(', ')
  const all = `${moneyText(preview.amount, currency)} with fees`
  return `${moneyText(amount, currency)} (${all}) through ${channel?.id ?? 'no channel'} to ${whom}.`
}

const reasonWords = ({ policies, contract: { approval } }: QueuedApproval) => [
  ...policies.map(({ sentence }) => sentence),
  ...(approval?.required ?? []).flatMap(({ mandate }) =>
    mandate ? [`The mandate of the API key ${mandate.name} does not let it pay as much alone.`] : [],
  ),
]

const byWords = ({ asked_by: by }: QueuedApproval) => by && (by.name ?? `${by.type} ${by.id}`)

const APPROVALS: Shows<QueuedApproval> = [
  ['contract', ({ contract: { id } }) => id],
  ['status', ({ status }) => stateText(status)],
  ['pays', ({ contract }) => paysWords(contract)],
  ['asked by', byWords],
  ['lacking', 'lacking'],
  ['you', ({ can_approve: may, why_not: why }) => (may ? 'may approve it' : (why?.message ?? null))],
]

const APPROVAL: Shows<QueuedApproval> = [
  ['contract', ({ contract: { id } }) => paint('bold', id)],
  ['pays', ({ contract }) => paysWords(contract)],
  ['for', ({ contract: { description } }) => description],
  ['asked by', byWords],
  ['because', reasonWords],
  ['still', 'who'],
  ['terms', ({ contract: { approval } }) => approval?.terms_hash],
]

const list = command('list', 'list the transfers that wait for you, newest first', {
  examples: ['gateway approvals list --email ana@shop.example', 'gateway approvals list --status approved'],
  options: {
    ...MEMBER,
    status: choice('<status>', 'all of the account that are so, whoever may approve them', STATUSES),
  },
  notes: MEMBER_NOTES,
  run: async ({ status, ...member }) => {
    const query = status === undefined ? { mine: true } : { status }
    return { approvals: await asMember(member, (gateway) => gateway.approvals.list(query).all(SHOWN_MOST)) }
  },
  print: ({ approvals: all }) => printMany(all, APPROVALS),
})

type Decided = { readonly results: readonly ApprovalResult[] }

const RESULTS: Shows<ApprovalResult> = [
  ['contract', 'id'],
  ['outcome', ({ outcome }) => stateText(outcome === 'approved' ? 'done' : 'refused', outcome)],
  [
    'stands',
    ({ complete, outcome }) => (outcome !== 'approved' ? null : complete ? 'it can be paid' : 'it waits for others'),
  ],
  ['why', ({ error }) => error && wordsOf(error.message, error.code)],
]

const approve = command('approve', 'show the frozen terms, ask, and approve them', {
  examples: ['gateway approvals approve 0198c0de-0000-7a2b-8000-0123456789ab --email ana@shop.example'],
  arguments: [argument('<id...>', 'the contracts, up to 100', repeated(uuid))],
  options: { ...MEMBER, yes: flag('do it without asking') },
  notes: MEMBER_NOTES,
  run: async ({ yes, ...member }, ids): Promise<Decided> => {
    refuseUnanswerable(yes)
    return asMember(member, async (gateway) => {
      const wanted = [...new Set(ids)]
      const found: QueuedApproval[] = []
      for (const id of wanted) found.push(await gateway.approvals.get(id))
      for (const each of found) shown(each)
      const barred = found.find((each) => !each.can_approve)
      if (barred)
        throw new CommandFailed(
          `${barred.contract.id}: ${barred.why_not?.message ?? 'You may not.'} Nothing was approved.`,
        )
      const isLive = found.some(({ contract }) => contract.livemode)
      const about =
        found.length === 1 ? 'Approve these terms?' : `Approve the terms of these ${found.length} transfers?`
      await agreed(() => ({ about, isLive }), yes)
      // Of the terms that were shown, and of no others.
      const items = found.map(({ contract: { id, approval } }) => ({ id, terms_hash: approval?.terms_hash ?? '' }))
      const { results } = await gateway.approvals.approveAll({ items })
      return { results }
    })
  },
  print: ({ results }) => printMany(results, RESULTS),
  failed: ({ results }) => results.some(({ outcome }) => outcome !== 'approved'),
})

const reject = command('reject', 'reject a transfer that waits for approval: it is cancelled', {
  examples: [
    'gateway approvals reject 0198c0de-0000-7a2b-8000-0123456789ab --reason "wrong account" --email ana@shop.example',
  ],
  arguments: [argument('<id>', 'the contract', uuid)],
  options: {
    ...MEMBER,
    reason: required(option('<text>', 'why; it stands in the history')),
    yes: flag('do it without asking'),
  },
  notes: MEMBER_NOTES,
  run: async ({ yes, reason, ...member }, id) => {
    refuseUnanswerable(yes)
    return asMember(member, async (gateway) => {
      const found = await gateway.approvals.get(id)
      shown(found)
      await agreed(() => ({ about: 'Reject and cancel it?', isLive: found.contract.livemode }), yes)
      const contract = await gateway.approvals.reject(id, {
        terms_hash: found.contract.approval?.terms_hash ?? '',
        reason,
      })
      return { contract }
    })
  },
  print: ({ contract }) => print(`${contract.id} is rejected: ${contract.status}.`),
})

/** Beside the result, so that --json stays JSON. */
function shown(approval: QueuedApproval): void {
  if (process.stdout.isTTY) printOne(approval, APPROVAL)
  else
    note(
      `${approval.contract.id}: ${paysWords(approval.contract)} Terms ${approval.contract.approval?.terms_hash ?? '-'}`,
    )
}

export const approvals = groupOf('approvals', 'approve or reject what policies hold back, as a member', [
  list,
  approve,
  reject,
])
