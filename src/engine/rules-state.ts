// What the policies of a batch's accounts look at, in memory.
import type { KeyLine } from '../domain/account/key-line.ts'
import type { Role } from '../domain/account/roles.ts'
import type { Meter } from '../domain/policy/meters.ts'
import type { Policy } from '../domain/policy/policy.ts'
import type { VerifiersInForce } from '../domain/verifier/standing.ts'
import type { Verification } from '../domain/verifier/verification.ts'
import { type LoadedChecks, noChecks } from './approvals.ts'

export type RulesState = {
  /** By account: the policies in force. */
  readonly policies: Map<string, readonly Policy[]>
  /** By `account/meter`; null for one that was looked for and has nothing in it. */
  readonly meters: Map<string, Meter | null>
  /** By `account/key`: in whose place keys stand that paid before, and by which no request of the batch comes. */
  readonly keyLines: Map<string, KeyLine>
  /** By `account/profile/version`: since when each destination is as it is. */
  readonly destinations: Map<string, ReadonlyMap<string, number>>
  /** By `account/member`: the roles of active members, of those who gave approvals and of those for whom rows of commands act. */
  readonly roles: Map<string, Role>
  /** By `account/subject/verifier`: the newest verification. */
  readonly verifications: Map<string, Verification>
  /** By `account/verification`: those that a command of the batch ends. */
  readonly ended: Map<string, Verification>
  /** By account: its own verifiers in use, and since when lists are as they are. */
  readonly verifiers: Map<string, VerifiersInForce>
  /** What approvals are checked against; empty where the batch has none. */
  readonly checks: LoadedChecks
}

export const noRules = (): RulesState => ({
  policies: new Map(),
  meters: new Map(),
  keyLines: new Map(),
  destinations: new Map(),
  roles: new Map(),
  verifications: new Map(),
  ended: new Map(),
  verifiers: new Map(),
  checks: noChecks(),
})
