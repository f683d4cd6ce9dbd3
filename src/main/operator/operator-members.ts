// Members as an operator brings them in, on the database itself: the first owner of an account has nobody else to invite them.
import { randomBytes } from 'node:crypto'
import { type Invited, inviteMember } from '../../app/members/members.ts'
import { OPERATORS, type Role } from '../../domain/account/roles.ts'
import { laneOf, laneUuid } from '../../domain/contract/ids.ts'
import type { Refusal } from '../../domain/contract/refusals.ts'
import type { Session } from '../../platform/db.ts'

export type OperatorMembers = {
  /** The link of a new member, or a new link of one who has not joined. The account exists. */
  readonly inviteMember: (accountId: string, wanted: WantedMember, operator: string) => Promise<Invited | Refusal>
}

export type WantedMember = { readonly email: string; readonly role: Role; readonly name: string | null }

export function openOperatorMembers(session: Session): OperatorMembers {
  const changes = {
    serialSession: { run: <T>(work: (session: Session) => Promise<T>) => work(session) },
    newId: (lane: number) => laneUuid(lane, Date.now(), randomBytes(10).toString('hex')),
    // A gateway at work looks for itself.
    announce: () => undefined,
  }
  return {
    inviteMember: (accountId, wanted, operator) => {
      const actor = { kind: 'operator', id: operator, address: null, requestId: null } as const
      return inviteMember(changes, { lane: laneOf(accountId), accountId, keyId: null, actor }, OPERATORS, wanted)
    },
  }
}
