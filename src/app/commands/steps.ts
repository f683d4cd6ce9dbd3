// What a row of each type does, step by step, by the use cases of single requests; and what a dry run finds of it. Redoing a row is
// harmless: its contract has an id of its own, and each step the answer that is kept under its key.
import { hash } from 'node:crypto'
import {
  type BulkCommand,
  type CommandType,
  isWaitedFor,
  type RowError,
  type CommandRow,
  type RowChecks,
  type RowPreview,
  type RowStatus,
} from '../../domain/command/command.ts'
import { othersOf } from '../../domain/account/writers.ts'
import { contractUuid, isUuid, keyDigestIn } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import type { Judgement } from '../../domain/policy/judge.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { CreateTransfer, PlainCommand } from '../../domain/transfer/commands.ts'
import { readDraft } from '../contracts/draft.ts'
import { outgoingDraft } from '../contracts/outgoing.ts'
import { repeatedOr } from '../contracts/repeats.ts'
import { readerOf } from '../contracts/validation.ts'
import { maskedOrNull } from '../contracts/recipient.ts'
import { contractNotFound } from '../../engine/execute.ts'
import { CommandRowBody } from '../../wire/commands/commands.ts'
import { hash128 } from '../../platform/hashes.ts'
import type { Deps } from '../deps.ts'

export type StepDeps = Pick<
  Deps,
  'execute' | 'contracts' | 'reader' | 'channels' | 'merchantOf' | 'payments' | 'nowMs'
> & {
  readonly currencies: ReadonlySet<string>
}

/** What came of a row. */
export type RowResult = {
  readonly status: Extract<RowStatus, 'done' | 'failed' | 'waiting'>
  readonly contractId: string | null
  readonly step: string | null
  readonly error: RowError | null
  readonly preview: RowPreview | null
  /** The transfer that would be paid, what is asked of it before, and what was found of it: of a dry run. */
  readonly pays?: Transfer
  readonly judged?: Judgement | null
  readonly checks?: RowChecks
  /** Of a dry run: it is done, and nothing leaves by it. */
  readonly takesNothing?: true
  /** Whom a row of a dry run pays: 128 bits. */
  readonly recipient?: string | null
}

const errorOf = ({ code, param, message }: Refusal): RowError => ({ code, param, message })

export function failed(refusal: Refusal, step: string | null, contract: Transfer | null = null): RowResult {
  const status = isWaitedFor(refusal.code) ? 'waiting' : 'failed'
  const preview = contract === null ? null : previewOf(contract)
  return { status, contractId: contract?.id ?? refusal.contractId ?? null, step, error: errorOf(refusal), preview }
}

export function previewOf({ terms, feeMinor, debitMinor }: Transfer): RowPreview {
  const [amount, fee, debit] = [terms.amountMinor, feeMinor, debitMinor].map(String) as [string, string, string]
  return { currency: terms.currency, amount, fee, debit, receive: String(debitMinor - feeMinor) }
}

type Draft = { readonly create: CreateTransfer; readonly source: string | null }

/** A row that holds a draft, as the command that opens its contract. */
export async function draftIn(deps: StepDeps, command: BulkCommand, row: CommandRow): Promise<Draft | Refusal> {
  const { source: named = null, ...body } = row.sent as { readonly source?: unknown }
  const source = typeof named === 'string' ? named.toLowerCase() : null
  if (named !== null && (source === null || !isUuid(source)))
    return refuseAll([invalid('source', 'source must be the id of a wallet: GET /wallets.')])
  const sent = readDraft(body)
  if (isRefusal(sent)) return sent
  const { profileId } = await deps.merchantOf(command)
  const { livemode } = command
  const rules = { currencies: deps.currencies, livemode }
  const draft = await outgoingDraft(deps, { ...command, profileId }, sent.read, rules)
  if (isRefusal(draft)) return draft
  const id = contractIdOf(command, row)
  const create = { verb: 'create_transfer', id, livemode, pays: null, ...draft } as const
  return { create, source }
}

/** The wallet that a row names, of a row that was read before. */
const sourceIn = ({ sent }: CommandRow): string | null => {
  const { source } = sent as { readonly source?: string | null }
  return source?.toLowerCase() ?? null
}

const readNaming = readerOf(CommandRowBody)

/** What a row says about a contract that it names. */
export function namingIn(row: CommandRow): { id: string; source: string | null; reason: string | null } | Refusal {
  const sent = readNaming(row.sent)
  if (isRefusal(sent)) return sent
  const { id, source, reason = null } = sent.read
  return { id: id.toLowerCase(), source: source?.toLowerCase() ?? null, reason: maskedOrNull(reason) }
}

/** The steps of each type, in their order, after its contract is there. */
export const STEPS: Readonly<Record<CommandType, readonly ('issue' | 'pay' | 'cancel')[]>> = {
  'transfers.create': [],
  'transfers.issue': ['issue'],
  'transfers.pay': ['pay'],
  'transfers.cancel': ['cancel'],
  'transfers.payout': ['issue', 'pay'],
  'payments.create': [],
  'events.replay': [],
  export: [],
}

/** Whether rows of the type hold drafts; the others name contracts. */
export const opensContracts = (type: CommandType): boolean => type === 'transfers.create' || type === 'transfers.payout'

/** Another row than that of a transfer: payments.ts, replay.ts and export.ts know what becomes of it. */
type OtherType = 'payments.create' | 'events.replay' | 'export'

type Naming = { readonly source: string | null; readonly reason: string | null }

export function commandOf(step: 'issue' | 'pay' | 'cancel', id: string, { source, reason }: Naming): PlainCommand {
  switch (step) {
    case 'issue':
      return { verb: 'issue', id, preview: null }
    case 'pay':
      return { verb: 'pay', id, preview: null, walletId: source }
    case 'cancel':
      return { verb: 'cancel', id, reason, actor: 'account' }
  }
}

/** Works on a row. Throws what keeps it from being decided: it is tried again, as it was. `isAgain`: it may have been begun before. */
export async function workOn(
  deps: StepDeps,
  command: BulkCommand,
  row: CommandRow,
  isAgain: boolean,
): Promise<RowResult> {
  if (!opensContracts(command.type)) {
    const naming = namingIn(row)
    if (isRefusal(naming)) return failed(naming, null)
    if (!isUuid(naming.id)) return failed(contractNotFound(), null)
    return goOn(deps, command, row, naming.id, naming, null)
  }
  const known = isAgain ? await contractAt(deps, command, contractIdOf(command, row)) : null
  if (known) return goOn(deps, command, row, known.id, { source: sourceIn(row), reason: null }, known)
  const draft = await draftIn(deps, command, row)
  if (isRefusal(draft)) return openedBefore(deps, command, row, draft)
  const { create, source } = draft
  const made = await execute(deps, command, row, 'create', create)
  const opened = isRefusal(made) ? await restoredFor(deps, command, create, made) : made
  if (isRefusal(opened)) return failed(opened, 'create')
  return goOn(deps, command, row, opened.id, { source, reason: null }, opened)
}

/** A row whose draft is refused by now: it goes on with the contract that it has opened, in a process that was thought dead perhaps. */
async function openedBefore(
  deps: StepDeps,
  command: BulkCommand,
  row: CommandRow,
  otherwise: Refusal,
): Promise<RowResult> {
  const requester = requesterOf(command, row, 'create')
  const id = contractIdOf(command, row)
  const opened = await repeatedOr(deps.execute, requester, { kind: 'transfer', id, otherwise })
  if (isRefusal(opened)) return failed(opened, 'create')
  return goOn(deps, command, row, id, { source: sourceIn(row), reason: null }, opened.contract)
}

/**
 * The contract that the row had before a restore, and a recovery has found at the provider: it goes on with that one, so that nobody
 * takes the row for one to be sent again. Of another amount it is another row's: then the refusal, which names it.
 */
async function restoredFor(
  deps: StepDeps,
  command: BulkCommand,
  { terms: { amountMinor, currency } }: CreateTransfer,
  refusal: Refusal,
): Promise<Transfer | Refusal> {
  const { code, contractId } = refusal
  if (code !== 'restored_request' || contractId === undefined) return refusal
  const adopted = await contractAt(deps, command, contractId)
  const isSame = adopted?.terms.currency === currency && adopted.terms.amountMinor === amountMinor
  return isSame ? adopted : refusal
}

/** The result of a row whose steps were all done before; null where they were not. */
export async function whatStands(deps: StepDeps, command: BulkCommand, row: CommandRow): Promise<RowResult | null> {
  const naming = opensContracts(command.type) ? null : namingIn(row)
  if (isRefusal(naming)) return null
  const { type } = command
  if (type === 'payments.create' || type === 'events.replay' || type === 'export') return null
  const contract = await contractAt(deps, command, naming?.id ?? contractIdOf(command, row))
  if (!contract || !HAS_HAPPENED[type](contract)) return null
  const step = STEPS[command.type].at(-1) ?? 'create'
  return { status: 'done', contractId: contract.id, step, error: null, preview: previewOf(contract) }
}

const HAS_HAPPENED: Readonly<Record<Exclude<CommandType, OtherType>, (contract: Transfer) => boolean>> = {
  'transfers.create': () => true,
  'transfers.issue': ({ issuedAt }) => issuedAt !== null,
  'transfers.pay': ({ paidAt }) => paidAt !== null,
  'transfers.cancel': ({ status, cancellation }) => status === 'cancelled' || cancellation !== null,
  'transfers.payout': ({ paidAt }) => paidAt !== null,
}

/** Odd, so that it comes back to no digest; and 2^32 by the golden ratio, which spreads them. */
const STRIDE = 0x9e3779b1n

/** The contract that a row opens: the same however often it is done, and known by the key of a command that is made again. */
export function contractIdOf(command: BulkCommand, { index }: Pick<CommandRow, 'index'>): string {
  const { id, createdAt } = command
  // Each row has another digest, and they lie far apart: activities count up from them.
  const own = BigInt.asUintN(44, BigInt(`0x${keyDigestIn(id)}`) + BigInt(index) * STRIDE)
  return contractUuid(command, createdAt, hash('sha256', `${id} ${index}`, 'hex'), own.toString(16).padStart(11, '0'))
}

/**
 * For whom a step of a row is done, and the key under which it is done once. No key of a caller holds a line break, so none can use this
 * one up.
 */
export function requesterOf(
  { lane, accountId, keyId, memberId, id }: BulkCommand,
  { index }: CommandRow,
  step: string,
) {
  const keyHash = hash128(`command ${id}\n${index} ${step}`)
  return { lane, accountId, keyId, memberId, idempotency: { keyHash, fingerprint: keyHash } }
}

async function goOn(
  deps: StepDeps,
  command: BulkCommand,
  row: CommandRow,
  id: string,
  naming: Naming,
  opened: Transfer | null,
): Promise<RowResult> {
  let contract = opened
  let step: string = 'create'
  for (const next of STEPS[command.type]) {
    step = next
    const answer = await execute(deps, command, row, next, commandOf(next, id, naming))
    if (isRefusal(answer)) return failed(answer, next, contract)
    contract = answer
  }
  return { status: 'done', contractId: id, step, error: null, preview: contract && previewOf(contract) }
}

export async function contractAt(
  { contracts }: Pick<StepDeps, 'contracts'>,
  { lane, accountId }: BulkCommand,
  id: string,
): Promise<Transfer | null> {
  const contract = await contracts.submit({ lane, accountId, id })
  return contract?.kind === 'transfer' ? contract : null
}

/** What makes or issues a contract names those who wrote the row, where it acts for somebody else by now: they are its makers, too. */
function written(command: BulkCommand, about: PlainCommand | CreateTransfer): PlainCommand | CreateTransfer {
  const writers = othersOf(command.writers, command)
  if (writers.length === 0) return about
  return about.verb === 'create_transfer' || about.verb === 'issue' ? { ...about, writers } : about
}

async function execute(
  deps: StepDeps,
  command: BulkCommand,
  row: CommandRow,
  step: string,
  about: PlainCommand | CreateTransfer,
): Promise<Transfer | Refusal> {
  const answer = await deps.execute({ ...requesterOf(command, row, step), command: written(command, about) })
  if (isRefusal(answer)) return answer
  return answer.kind === 'contract' && answer.contract.kind === 'transfer' ? answer.contract : contractNotFound()
}
