// Approvals on the wire: what a contract shows of them, how they are given, and the queue of those that wait.
import { hash } from 'node:crypto'
import Type from 'typebox'
import { ROLES } from '../../domain/account/roles.ts'
import { type ApprovalNeed, type AskedByMandate, askerWords } from '../../domain/policy/judge.ts'
import { type LackingApproval, lackingApprovals } from '../../domain/policy/requirements.ts'
import { termsText } from '../../domain/policy/terms.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { closed, nullable, nullableText, text, time, uuid, type Wire } from '../shapes.ts'
import { iso } from '../times.ts'

export const SHOWN_APPROVALS = ['waiting', 'approved', 'rejected', 'ended'] as const

const role = Type.Enum([...ROLES], { $id: 'Role' })
/** Its own name: a serializer takes each name once. */
const askedRole = Type.Enum([...ROLES], { $id: 'AskedRole' })

const AskedBy = nullable(
  Type.Object(
    {
      id: uuid('The policy that asks for it.'),
      name: Type.String(),
      version: Type.Integer({ description: 'In this version.' }),
    },
    { description: 'Null where a mandate asks for it.' },
  ),
)

/** A mandate that asks, by its key. */
export const AskingMandate = nullable(
  Type.Object(
    {
      key: Type.String({ description: 'The API key that the mandate was given to.' }),
      name: Type.String({ description: 'What the key is called.' }),
    },
    { description: 'The mandate that asks for it, where the key may not pay as much alone; else null.' },
  ),
)

export const Approval = Type.Object(
  {
    status: Type.Enum([...SHOWN_APPROVALS], {
      $id: 'ApprovalStatus',
      description: 'ended: it was paid, cancelled or has expired before it had them all.',
    }),
    required: Type.Array(
      Type.Object({
        policy: AskedBy,
        mandate: AskingMandate,
        count: Type.Integer({ description: 'So many different members.' }),
        role: nullable(askedRole),
        given: Type.Integer({ description: 'How many of them have approved it.' }),
      }),
      { description: 'Each of these. One member may count for several.' },
    ),
    given: Type.Array(
      Type.Object({
        member: Type.Object({ id: uuid('The member.'), name: nullableText }),
        role,
        at: time('When.'),
      }),
      { description: 'As they were given. Who is no member any more does not count when it is paid.' },
    ),
    terms_hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the frozen terms. An approval sends it back, so that it is of these terms.',
    }),
    who: Type.String({ description: 'Who may approve it still, in words.' }),
  },
  {
    $id: 'Approval',
    description: 'Approvals that policies, or the mandate of a key, asked for. Null where none were.',
  },
)

/** SHA-256 of the frozen terms, in hexadecimal: what is approved. */
export const termsHashOf = (contract: Transfer): string => hash('sha256', termsText(contract), 'hex')

/** What the contract shows of its approvals; null where nothing asked for one. */
export function presentApproval(contract: Transfer): Wire<typeof Approval> | null {
  const { requirements } = contract
  if (!requirements || requirements.approvals.length === 0) return null
  const termsHash = termsHashOf(contract)
  const given = requirements.given.filter((each) => each.termsHash === termsHash)
  const roleThen = (memberId: string) => given.find((each) => each.memberId === memberId)?.role ?? null
  const lacking = lackingApprovals(requirements.approvals, given, termsHash, roleThen)
  return {
    status: statusOf(contract, lacking),
    required: requirements.approvals.map((need) => ({
      ...presentAsker(need),
      count: need.count,
      role: need.role,
      given: given.filter((each) => need.role === null || need.role === each.role).length,
    })),
    given: given.map(({ memberId, name, role: as, at }) => ({ member: { id: memberId, name }, role: as, at: iso(at) })),
    terms_hash: termsHash,
    who: whoMay(lacking),
  }
}

/** Which of the two asks for an approval. */
function presentAsker(need: ApprovalNeed) {
  if ('mandateOf' in need) return { policy: null, mandate: presentAskingMandate(need) }
  return { policy: { id: need.policyId, name: need.name, version: need.version }, mandate: null }
}

export const presentAskingMandate = ({ mandateOf, name }: AskedByMandate) => ({ key: mandateOf, name })

function statusOf({ status, activities }: Transfer, lacking: readonly LackingApproval[]) {
  if (activities.some(({ type }) => type === 'rejected')) return 'rejected'
  if (lacking.length === 0) return 'approved'
  return status === 'issued' ? 'waiting' : 'ended'
}

/** Who may approve what is lacking, in a sentence for each. */
export function whoMay(lacking: readonly LackingApproval[]): string {
  if (lacking.length === 0) return 'Nobody is asked any more.'
  return lacking
    .map((need) => {
      const { count, given, role: asked } = need
      const left = count - given
      const members = left === 1 ? '1 more member' : `${left} more members`
      const as = asked === null ? 'who may approve' : `of the role ${asked}`
      return `${members} ${as} and did not make it (${askerWords(need)}).`
    })
    .join(' ')
}

const termsHash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'approval.terms_hash of the contract as you looked at it.',
})

export const ApproveBody = closed({ terms_hash: termsHash }, { $id: 'ApproveRequest' })

export const RejectBody = closed({ terms_hash: termsHash, reason: text(1000, 'Why.') }, { $id: 'RejectRequest' })

const APPROVALS_AT_ONCE = 100

export const ApproveAllBody = closed(
  {
    items: Type.Array(closed({ id: uuid('The contract.'), terms_hash: termsHash }), {
      minItems: 1,
      maxItems: APPROVALS_AT_ONCE,
    }),
    dry_run: Type.Optional(
      nullable(
        Type.Boolean({ description: 'true: says what would become of it, with the totals, and approves nothing.' }),
      ),
    ),
  },
  { $id: 'ApproveAllRequest' },
)
