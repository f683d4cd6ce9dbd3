// What a dry run finds of its rows beside their price: what the policies of the account would say of each, and what looks as if it
// were paid twice, in the command or within the last 30 days.
import type { BulkCommand, CommandRow, RowChecks } from '../../domain/command/command.ts'
import { firstIdAt } from '../../domain/contract/ids.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { majorText } from '../../domain/money/money.ts'
import type { Judgement } from '../../domain/policy/judge.ts'
import { recipientSubject } from '../../domain/policy/meters.ts'
import { termsOf } from '../../domain/resource/terms.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { hash128 } from '../../platform/hashes.ts'
import { scopeOf } from '../../platform/scope.ts'
import { contractsWithTerms, type RowPlace, rowsPayingSame, samePlaceFrom } from '../../store/commands/likenesses.ts'
import { loadContracts, readContractFrom } from '../../store/contracts/contracts.ts'
import { activePolicies } from '../../store/policies/policies.ts'
import { evaluate } from '../policies/evaluate.ts'
import { askingMandateOf } from '../policies/mandated.ts'
import { opensContracts, type RowResult, type StepDeps } from './steps.ts'

const LATELY_MS = 30 * 86_400_000
const CANDIDATES = 10

type Paying = RowPlace & {
  readonly place: number
  readonly transfer: Transfer
  readonly recipient: string
}

/** The results of a window of a dry run, each that would be paid or that a policy denies with what was found of it. */
export async function withChecks(
  deps: StepDeps,
  command: BulkCommand,
  rows: readonly CommandRow[],
  results: readonly (RowResult | null)[],
): Promise<readonly (RowResult | null)[]> {
  const paying = results.flatMap((result, place): Paying[] => {
    const [row, transfer] = [rows[place], result?.pays]
    const subject = transfer ? recipientSubject(transfer.terms.recipient) : null
    return row && transfer && subject !== null
      ? [{ place, index: row.index, line: row.line, transfer, recipient: hash128(subject) }]
      : []
  })
  if (paying.length === 0) return results
  const [same, before] = [await sameRows(deps, command, paying), await paidLately(deps, command, paying)]
  const checked = [...results]
  for (const { place, recipient } of paying) {
    const result = results[place]
    if (!result) continue
    const checks: RowChecks = {
      ...asked(result.judged ?? null),
      sameAsRow: same.get(place)?.index ?? null,
      sameAsLine: same.get(place)?.line ?? null,
      paidBefore: before.get(place) ?? null,
    }
    checked[place] = { ...result, checks, recipient }
  }
  return checked
}

function asked(judgement: Judgement | null): Omit<RowChecks, 'sameAsRow' | 'sameAsLine' | 'paidBefore'> {
  if (!judgement) return { denied: null, approvals: [], verifications: [], delaySeconds: 0 }
  const { denied, approvals, verifications, delaySeconds } = judgement
  return {
    denied: denied && { policy: denied.policyId, name: denied.name, words: denied.words },
    approvals: approvals.map((need) => {
      const { name, count, role } = need
      return 'mandateOf' in need
        ? { policy: null, mandate: need.mandateOf, name, count, role }
        : { policy: need.policyId, mandate: null, name, count, role }
    }),
    verifications: verifications.map(({ policyId: policy, name, verification: kind }) => ({ policy, name, kind })),
    delaySeconds,
  }
}

/** What is said of a transfer before it is paid from a wallet. */
export type Judge = (transfer: Transfer, walletId: string) => Promise<Judgement | null>

/** What the policies, and the mandate of the key, say of a row alone; nothing where there are none. */
export async function judgeOf(deps: Pick<StepDeps, 'reader' | 'channels'>, command: BulkCommand): Promise<Judge> {
  const { lane, accountId, keyId, memberId, type } = command
  const [active] = await deps.reader.send([activePolicies({ kind: 'one lane', lane }, [{ lane, accountId }])])
  const asking = await askingMandateOf(deps, command, keyId)
  if ((active?.rows ?? []).length === 0 && !asking) return async () => null
  return async (transfer, walletId) => {
    const contract = opensContracts(type) ? null : transfer
    const payer = { keyId, memberId, walletId }
    const trial = { policies: null, terms: transfer.terms, contract, payer, atMs: null }
    const verdict = await evaluate(deps, command, trial)
    return isRefusal(verdict) ? null : verdict.judgement
  }
}

const nameOf = ({ recipient, transfer: { terms } }: Paying) => `${recipient} ${terms.currency} ${terms.amountMinor}`

/** By its place the first row that pays the same: one of before, or of this window. */
async function sameRows(
  { reader }: StepDeps,
  command: BulkCommand,
  paying: readonly Paying[],
): Promise<ReadonlyMap<number, RowPlace>> {
  const wanted = paying.map(({ recipient, transfer: { terms } }) => ({ ...terms, recipient }))
  const [result] = await reader.send([rowsPayingSame(command, wanted)])
  const known = new Map((result?.rows ?? []).map(samePlaceFrom).map((each) => [each.place, each]))
  const first = new Map<string, RowPlace>()
  const same = new Map<number, RowPlace>()
  paying.forEach((each, i) => {
    const earlier = known.get(i) ?? first.get(nameOf(each))
    if (earlier && earlier.index < each.index) same.set(each.place, earlier)
    if (!first.has(nameOf(each))) first.set(nameOf(each), each)
  })
  return same
}

const termOf = (text: string) => termsOf([{ field: '', text, by: 'whole' }])[0] ?? ''

/** By its place a contract that was paid lately: what the index of search has, looked at as it stands. */
async function paidLately(
  { reader, nowMs }: StepDeps,
  { lane, accountId }: BulkCommand,
  paying: readonly Paying[],
): Promise<ReadonlyMap<number, { readonly contractId: string; readonly at: number }>> {
  const since = nowMs() - LATELY_MS
  const terms = paying.map(
    ({
      transfer: {
        terms: { recipient, currency, amountMinor },
      },
    }) => ({
      whom: termOf(recipient?.wallet ?? recipient?.mobile ?? recipient?.email ?? ''),
      amount: termOf(`${currency} ${majorText(amountMinor, currency)}`),
    }),
  )
  const owner = { lane, accountId }
  const [found] = await reader.send([contractsWithTerms(owner, terms, firstIdAt(since), CANDIDATES)])
  const candidates = (found?.rows ?? []).map((row) => ({ at: Number(row['place']) - 1, id: row['id'] as string }))
  const ids = [...new Set(candidates.map(({ id }) => id))]
  if (ids.length === 0) return new Map()
  const [loaded] = await reader.send([
    loadContracts(
      scopeOf([owner]),
      ids.map((id) => ({ ...owner, id })),
    ),
  ])
  const contracts = new Map((loaded?.rows ?? []).map(readContractFrom).map((each) => [each.id, each]))
  const paid = new Map<number, { contractId: string; at: number }>()
  for (const { at: i, id } of candidates) {
    const [row, contract] = [paying[i], contracts.get(id)]
    if (!row || paid.has(row.place) || contract?.kind !== 'transfer' || id === row.transfer.id) continue
    const { paidAt, status, terms: known } = contract
    if (paidAt === null || paidAt < since || status === 'cancelled') continue
    const { amountMinor, currency, recipient } = row.transfer.terms
    const isSame = known.amountMinor === amountMinor && known.currency === currency
    if (isSame && recipientSubject(known.recipient) === recipientSubject(recipient))
      paid.set(row.place, { contractId: id, at: paidAt })
  }
  return paid
}
