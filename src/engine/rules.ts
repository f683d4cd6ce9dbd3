// The second load of a batch, for accounts that have policies and keys whose mandate asks for approvals, and for them alone: the
// policies in force and what they look at, and the roles of those who approved.
// Judged and counted in memory like everything else of a batch, so that no two payments pass one limit. What refunds a payment elsewhere
// than back is judged with them.
import { approvingRole } from '../domain/account/roles.ts'
import type { Facts, Rules } from '../domain/contract/decision.ts'
import { invariant } from '../domain/invariant.ts'
import { circumstancesOf, isRuled, metersOf, type Payer, spendingOf } from '../domain/policy/circumstances.ts'
import { FREE, type Judgement, judge } from '../domain/policy/judge.ts'
import { asksWhoPays, countsByKey, isKept, isLookedAt, volumeMeter } from '../domain/policy/look.ts'
import { EMPTY_METER, type Meter, type MeterName, metered, rolledByAt } from '../domain/policy/meters.ts'
import type { Policy } from '../domain/policy/policy.ts'
import type { RefundPayment, ReturnPayment } from '../domain/payment/commands.ts'
import { type Payment, recipientOf } from '../domain/payment/payment.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import { clockIn } from '../platform/days.ts'
import type { Result, Row, Statement } from '../platform/db.ts'
import type { Scope } from '../platform/scope.ts'
import { makersOfKeys } from '../store/contracts/approvals.ts'
import { rolesOfMembers, type UsedVersion, usedProfileVersions } from '../store/policies/approvers.ts'
import { loadMeters, meterFrom, meterId, type MeterKey } from '../store/policies/meters.ts'
import { activePolicies, policyFrom } from '../store/policies/policies.ts'
import { profileFrom } from '../store/profiles/profiles.ts'
import { newestVerifications, verifiersInForce } from '../store/verifiers/verifications.ts'
import { termsHashOf } from '../wire/contracts/approval.ts'
import { readMakers } from './approvals.ts'
import { type BatchState, rowKey } from './batch-state.ts'
import type { CommandRequest } from './command-request.ts'
import { RULED, type Verb } from './command-table.ts'
import {
  approvalsByKey,
  hasNoPolicies,
  linesToLoad,
  lookOf,
  payerBefore,
  payerNow,
  readLine,
  readRole,
} from './key-caps.ts'
import { distinct } from './needs.ts'
import type { RulesState } from './rules-state.ts'
import { lackingVerifications, readVerification, readVerifiers, subjectsOf } from './verifications.ts'

/** Those that write a draft, and price it. */
const PRICED: ReadonlySet<Verb> = new Set<Verb>(['create_transfer', 'update'])

/** What of a transfer says what has to be looked at before it is judged. */
type Looked = Pick<Transfer, 'lane' | 'accountId' | 'terms' | 'paidAt' | 'walletId' | 'activities' | 'requirements'>

type GivesBack = RefundPayment | ReturnPayment
type Named = GivesBack & { readonly route: NonNullable<GivesBack['route']> }

/** Whether the command gives money of a payment back to a place that it names, which may be another than it came from. */
const namesPlace = (command: CommandRequest['command']): command is Named =>
  (command.verb === 'refund' || command.verb === 'return') && command.route !== null

/** The transfers that the command may open: of what was paid, or of any of the amounts in suspense. */
function mayOpen(state: BatchState, command: Named, payment: Payment): Looked[] {
  const { lane, accountId, terms, walletId } = payment
  const own = { walletId, currency: terms.currency }
  const sources = command.verb === 'refund' ? [own] : inSuspense(state, payment)
  return distinct(sources, (each) => `${each.walletId}/${each.currency}`).map((source) => ({
    lane,
    accountId,
    paidAt: null,
    walletId: source.walletId,
    activities: [],
    terms: {
      amountMinor: 0n,
      currency: source.currency,
      issuedTo: null,
      description: null,
      deliverable: null,
      recipient: recipientOf(command.route),
      channelId: command.route.channelId,
    },
  }))
}

const inSuspense = ({ receipts }: BatchState, { id }: Payment) =>
  [...receipts.values()].filter(({ contractId, suspenseMinor }) => contractId === id && suspenseMinor > 0n)

type Ruled = { readonly request: CommandRequest; readonly contract: Looked }

function ruledOf(state: BatchState, requests: readonly CommandRequest[]): Ruled[] {
  return requests.flatMap((request) => {
    const { accountId, command } = request
    if (!RULED.has(command.verb) && !namesPlace(command)) return []
    if (hasNoPolicies(state, accountId) && approvalsByKey(state, request) === null) return []
    if (command.verb === 'credit' || command.id === null) return []
    const contract = state.contracts.get(rowKey(accountId, command.id))?.contract
    if (contract?.kind === 'payment')
      return namesPlace(command) ? mayOpen(state, command, contract).map((each) => ({ request, contract: each })) : []
    return contract && isRuled(contract) ? [{ request, contract }] : []
  })
}

/** The commands that price a draft, of accounts that have policies of fees. */
const pricedOf = (state: BatchState, requests: readonly CommandRequest[]): readonly CommandRequest[] =>
  requests.filter((request) => PRICED.has(request.command.verb) && lookOf(state, request)?.prices === true)

const volumesToLoad =
  (state: BatchState) =>
  (request: CommandRequest): MeterKey[] =>
    (lookOf(state, request)?.volumes ?? []).map((volume) => {
      const { lane, accountId } = request
      return { lane, accountId, meter: meterId(volumeMeter(volume)) }
    })

type Load = { readonly statement: Statement; readonly into: (rules: RulesState, row: Row) => void }

/** What has to be loaded before the batch is decided; null for most batches, which no policy concerns. */
export function loadRules(
  scope: Scope,
  state: BatchState,
  requests: readonly CommandRequest[],
): { readonly statements: Statement[]; readonly read: (loaded: readonly Result[]) => void } | null {
  const judged = ruledOf(state, requests)
  const ruled = judged.filter(({ request }) => !hasNoPolicies(state, request.accountId))
  const members = distinct(judged.flatMap(membersNamed), ({ accountId, id }) => rowKey(accountId, id))
  const priced = pricedOf(state, requests)
  const loads = [
    ...(ruled.length === 0 && priced.length === 0 ? [] : loadsFor(scope, state, ruled, priced)),
    ...(members.length > 0 ? [{ statement: rolesOfMembers(scope, members), into: readRole }] : []),
  ]
  if (loads.length === 0) return null
  return {
    statements: loads.map(({ statement }) => statement),
    read: (loaded) =>
      loads.forEach(({ into }, i) => {
        for (const row of loaded[i]?.rows ?? []) into(state.rules, row)
      }),
  }
}

function loadsFor(scope: Scope, state: BatchState, ruled: readonly Ruled[], priced: readonly CommandRequest[]): Load[] {
  const accounts = distinct(
    [...ruled.map(({ request }) => request), ...priced].map(({ lane, accountId }) => ({ lane, accountId })),
    ({ accountId }) => accountId,
  )
  const meters = distinct(
    [...ruled.flatMap(metersToLoad(state)), ...priced.flatMap(volumesToLoad(state))],
    ({ accountId, meter }) => rowKey(accountId, meter),
  )
  for (const { accountId, meter } of meters) state.rules.meters.set(rowKey(accountId, meter), null)
  for (const { accountId } of accounts) state.rules.policies.set(accountId, [])
  const used = distinct(ruled.flatMap(versionsUsed), (each) => versionKey(each.accountId, each.id, each.version))
  const subjects = distinct(
    ruled.flatMap((each) =>
      lookOf(state, each.request)?.verifies === false ? [] : subjectsOf(each.contract, otherChannels(state, each)),
    ),
    ({ accountId, subject }) => rowKey(accountId, subject),
  )
  const lines = linesToLoad(
    scope,
    state,
    ruled.map(({ request }) => request),
    asksWhoPays,
  )
  return [
    { statement: activePolicies(scope, accounts), into: readPolicy },
    ...lines.map((statement) => ({ statement, into: readLine })),
    ...(meters.length > 0 ? [{ statement: loadMeters(scope, meters), into: readMeter }] : []),
    ...(subjects.length > 0
      ? [
          { statement: verifiersInForce(scope, accounts), into: readVerifiers },
          { statement: newestVerifications(scope, subjects), into: readVerification },
          {
            statement: makersOfKeys(scope, accounts),
            into: (rules: RulesState, row: Row) => readMakers(rules.checks, [row]),
          },
        ]
      : []),
    ...(used.length > 0 ? [{ statement: usedProfileVersions(scope, used), into: readDestinations }] : []),
  ]
}

/** The channels that the command may send a contract by, beside its own; what it may go by later is asked about when it is issued or paid. */
function otherChannels(state: BatchState, { request: { accountId, command }, contract }: Ruled): readonly string[] {
  if (command.verb === 'retry') return command.channelId === null ? [] : [command.channelId]
  if (contract.paidAt === null && command.verb !== 'issue' && command.verb !== 'pay') return []
  return state.accounts.get(accountId)?.fallbackChannels ?? []
}

const metersToLoad =
  (state: BatchState) =>
  ({ request, contract }: Ruled): MeterKey[] => {
    const { lane, accountId } = request
    const isLooked = isLookedAt(lookOf(state, request))
    const payers = [
      ...(contract.paidAt === null ? [] : [payerBefore(state, request, contract, countsByKey)]),
      ...(isAskedFor(request, contract) ? [payerNow(state, request, contract, contract.walletId)] : []),
    ]
    return payers
      .flatMap((payer) => metersOf(contract, payer))
      .filter(isLooked)
      .map((name) => ({ lane, accountId, meter: meterId(name) }))
  }

/** Whether somebody asks for it to leave; what goes on by itself, whoever paid it has asked for. */
const isAskedFor = ({ command }: CommandRequest, { paidAt }: Pick<Transfer, 'paidAt'>): boolean =>
  paidAt === null || command.verb === 'retry'

function versionsUsed({ request: { lane, accountId }, contract }: Ruled): UsedVersion[] {
  const used = contract.terms.recipientProfile
  return used?.destination ? [{ lane, accountId, id: used.profile, version: used.profileVersion }] : []
}

function membersNamed({ request: { lane, accountId }, contract }: Ruled) {
  return (contract.requirements?.given ?? []).map(({ memberId: id }) => ({ lane, accountId, id }))
}

function readPolicy(rules: RulesState, row: Row): void {
  const policy = policyFrom(row)
  rules.policies.set(policy.accountId, [...(rules.policies.get(policy.accountId) ?? []), policy])
}

function readMeter(rules: RulesState, row: Row): void {
  const { accountId, meter, steps } = meterFrom(row)
  rules.meters.set(rowKey(accountId, meter), steps)
}

function readDestinations(rules: RulesState, row: Row): void {
  const { accountId, id, version, destinations } = profileFrom(row)
  const since = new Map(destinations.map((each) => [each.id, each.changedAt]))
  rules.destinations.set(versionKey(accountId, id, version), since)
}

const versionKey = (accountId: string, profileId: string, version: number) => `${accountId}/${profileId}/${version}`

/** The rules that a command about a transfer is decided by; null where neither its account nor its key has any. */
export const rulesFor = (state: BatchState, request: CommandRequest, contract: Transfer | null): Rules | null =>
  contract && isRuled(contract) && RULED.has(request.command.verb) ? rulesOf(state, request) : null

/** The rules for money of a payment that may go elsewhere than back; null where no place is named, so that it does not. */
export function rulesElsewhere(state: BatchState, request: CommandRequest): Rules | null {
  const rules = namesPlace(request.command) ? rulesOf(state, request) : null
  const proxy = request.memberId ?? request.keyId
  // The command itself makes what is judged: nobody is named on it yet, and whoever asks is its maker.
  const made = (contract: Transfer): Transfer => ({
    ...contract,
    activities: contract.activities.map((line) => ({ ...line, proxy })),
  })
  return (
    rules && {
      ...rules,
      lackingVerifications: (contract, needs, unasked) => rules.lackingVerifications(made(contract), needs, unasked),
    }
  )
}

/**
 * Throws where the account has policies that were not looked for: the contract was made by a command before this one in the same batch.
 * Alone, the command meets it as it stands.
 */
function rulesOf(state: BatchState, request: CommandRequest): Rules | null {
  const { accountId } = request
  const isFree = hasNoPolicies(state, accountId)
  const all = isFree ? undefined : state.rules.policies.get(accountId)
  invariant(isFree || all !== undefined, 'the policies of an account that is judged are loaded')
  const byMandate = approvalsByKey(state, request)
  if (!all && !byMandate) return null
  // What it costs was decided when the draft was written.
  const policies = all?.filter(({ then }) => then.kind !== 'fees') ?? null
  return {
    judge: (contract, walletId) => {
      const judged = policies === null ? FREE : judgedBy(state, request, policies, contract, walletId)
      const need = byMandate?.(contract) ?? null
      return need ? { ...judged, approvals: [...judged.approvals, need] } : judged
    },
    roleOf: (memberId) => approvingRole(state.rules.roles.get(rowKey(accountId, memberId))),
    termsHash: termsHashOf,
    lackingVerifications: (contract, needs, unasked) => lackingVerifications(state, contract, needs, unasked),
  }
}

function judgedBy(
  state: BatchState,
  request: CommandRequest,
  policies: readonly Policy[],
  contract: Transfer,
  walletId: string | null,
): Judgement {
  const payer = isAskedFor(request, contract)
    ? payerNow(state, request, contract, walletId)
    : payerBefore(state, request, contract)
  const timeZone = state.accounts.get(request.accountId)?.timeZone
  invariant(timeZone !== undefined, 'an account that is judged is loaded')
  const moment = { nowMs: state.nowMs, local: clockIn(state.nowMs, timeZone) }
  const meterOf = meterWithout(state, request, contract)
  return judge(policies, circumstancesOf(contract, payer, moment, destinationSince(state, contract), meterOf))
}

/** The meters without the transfer itself, which was counted where it was paid already. */
function meterWithout(state: BatchState, { accountId }: CommandRequest, contract: Transfer) {
  const { paidAt, terms } = contract
  const own = new Set(
    paidAt === null ? [] : metersOf(contract, payerBefore(state, { accountId }, contract)).map(meterId),
  )
  const back = { sumMinor: -terms.amountMinor, count: -1 }
  return (name: MeterName): Meter => {
    const meter = meterIn(state, accountId, name)
    return paidAt !== null && own.has(meterId(name)) ? metered(meter, name.span, back, paidAt, state.nowMs) : meter
  }
}

const NOBODY: Payer = { keyId: null, keyLine: null, memberId: null, walletId: null }

/** What the account's policies of fees ask for a draft at this moment; undefined where it has none. */
export function priceFor(state: BatchState, request: CommandRequest): Facts['price'] {
  const { accountId, command } = request
  if (!PRICED.has(command.verb) || lookOf(state, request)?.prices !== true) return undefined
  const policies = (state.rules.policies.get(accountId) ?? []).filter(({ then }) => then.kind === 'fees')
  const moment = { nowMs: state.nowMs, local: { hour: 0, weekday: 1 } }
  const meterOf = (name: MeterName) => meterIn(state, accountId, name)
  return (terms) => judge(policies, circumstancesOf({ terms }, NOBODY, moment, null, meterOf)).fees
}

/**
 * Throws where it was not looked for: the contract was changed by a command before this one in the same batch. Alone, the
 * command meets it as it stands.
 */
function meterIn(state: BatchState, accountId: string, name: MeterName): Meter {
  const meter = state.rules.meters.get(rowKey(accountId, meterId(name)))
  invariant(meter !== undefined, 'the meters of a transfer are loaded')
  return meter ?? EMPTY_METER
}

function destinationSince(
  state: BatchState,
  { accountId, terms: { recipientProfile: used } }: Transfer,
): number | null {
  if (!used?.destination) return null
  const since = state.rules.destinations.get(versionKey(accountId, used.profile, used.profileVersion))
  invariant(since !== undefined, 'the profile that a transfer used is loaded')
  return since.get(used.destination) ?? null
}

/** Counts what a step of a transfer adds to the meters that the account's policies look at, or gives back. `before`: null for one that opens. */
export function count(state: BatchState, request: CommandRequest, before: Transfer | null, after: Transfer): void {
  const policies = state.rules.policies.get(request.accountId)
  const spending = policies && policies.length > 0 ? spendingOf(before, after) : null
  if (!policies || !spending) return
  const { lane, accountId } = request
  const kept = isKept(policies)
  for (const name of metersOf(after, payerBefore(state, request, after)).filter(kept)) {
    const steps = metered(meterIn(state, accountId, name), name.span, spending, spending.atMs, state.nowMs)
    const meter = meterId(name)
    state.rules.meters.set(rowKey(accountId, meter), steps)
    const saved = { lane, accountId, meter, steps, rolledByAt: rolledByAt(steps, name.span) }
    state.changes.meters.set(rowKey(accountId, meter), saved)
  }
}
