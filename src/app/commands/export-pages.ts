// What an export writes, a page at a time: contracts, entries and events by the statements of their lists, as their lists show them.
import type { Exported } from '../../domain/command/command.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { type FoundEvent, isThere, readableTypes } from '../../domain/account/events.ts'
import { entryFrom, listEntries } from '../../ledger/entries.ts'
import type { Leased } from '../../store/commands/commands.ts'
import { listSteps, stepFrom } from '../../store/contracts/events.ts'
import { SCOPES } from '../../domain/account/scopes.ts'
import { presentContract } from '../../wire/any-contract.ts'
import { presentRemovedEvent, presentStoredEvent } from '../../wire/events.ts'
import type { Presenter } from '../../wire/transfer.ts'
import { contractFilter, pageOfContracts } from '../contracts/listing.ts'
import type { Deps } from '../deps.ts'
import { entryBounds, presentEntry } from '../wallets/entries.ts'
import { endOf, instantOf } from '../wallets/periods.ts'
import { walletsToday } from '../wallets/statements.ts'
import { readContractsFilter, readEntriesFilter, readEventsFilter } from './filters.ts'

export type ExportDeps = Pick<Deps, 'reader' | 'merchantOf'> & { readonly presenter: Presenter }

/** Rows as the API shows them, and where to go on; null at the end. */
export type ExportPage = { readonly rows: readonly object[]; readonly cursor: object | null }

type Pages = (deps: ExportDeps, leased: Leased) => Promise<ExportPage | Refusal>

const CONTRACTS_AT_ONCE = 200
const ENTRIES_AT_ONCE = 1000
const STEPS_AT_ONCE = 500

/** Those that were there when the command was made, newest first, as they stand when their page is written. */
const contracts: Pages = async (deps, leased) => {
  const read = readContractsFilter(leased.wanted?.filter ?? {})
  if (isRefusal(read)) return read
  const { kind = null, ...asked } = read.read
  const after = (leased.cursor as { readonly after: string } | null)?.after ?? null
  const filter = contractFilter(kind, asked, { after, limit: CONTRACTS_AT_ONCE })
  if (isRefusal(filter)) return filter
  const createdToMs = Math.min(filter.createdToMs ?? leased.createdAt, leased.createdAt)
  const page = await pageOfContracts(deps, leased, { ...filter, createdToMs })
  const { profileId } = await deps.merchantOf(leased)
  const rows = page.contracts.map((contract) => shown(deps.presenter, contract, profileId))
  return { rows, cursor: page.next === null ? null : { after: page.next } }
}

/** Without what opens a payment: a file is passed on. */
function shown(presenter: Presenter, contract: Contract, profileId: string): object {
  const whole = presentContract(presenter, contract, profileId)
  return 'checkout_url' in whole ? { ...whole, checkout_url: null, next_action: null } : whole
}

/** Wallet after wallet, each from its newest entry on. */
const entries: Pages = async (deps, leased) => {
  const read = readEntriesFilter(leased.wanted?.filter ?? {})
  if (isRefusal(read)) return read
  const { wallet: named, contract_id: contractId = null, account = null, from, to } = read.read
  const { wallets, timeZone } = await walletsToday(deps, leased)
  const begun = leased.cursor as { readonly wallet: string; readonly before: number | null } | null
  const [wallet, next] = wallets
    .filter(({ id }) => id === (named?.toLowerCase() ?? id) && id >= (begun?.wallet ?? ''))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  if (!wallet) return { rows: [], cursor: null }
  const asked = {
    fromMs: from === undefined ? null : instantOf(from, timeZone),
    toMs: Math.min(to === undefined ? leased.createdAt : endOf(to, timeZone), leased.createdAt),
    contractId,
  }
  const bounds = await entryBounds(deps, wallet, asked)
  const cursor = begun?.wallet === wallet.id ? begun.before : null
  const before = Math.min(bounds.before, cursor ?? bounds.before)
  const filter = { after: bounds.after, before, contractId, account, limit: ENTRIES_AT_ONCE }
  const [result] = await deps.reader.send([listEntries(wallet, filter)])
  const found = (result?.rows ?? []).map(entryFrom)
  const page = found.slice(0, ENTRIES_AT_ONCE)
  const rows = page.map((entry) => ({ wallet_id: wallet.id, ...presentEntry(wallet, entry) }))
  const last = page.at(-1)
  if (found.length > ENTRIES_AT_ONCE && last) return { rows, cursor: { wallet: wallet.id, before: last.sequence } }
  return { rows, cursor: next ? { wallet: next.id, before: null } : null }
}

const eventRow = (presenter: Presenter, event: FoundEvent, profileId: string, livemode: boolean): object =>
  isThere(event) ? presentStoredEvent(presenter, event, profileId) : presentRemovedEvent(event, livemode)

/** Up to where the history stood when the command was made, the oldest first. */
const events: Pages = async (deps, leased) => {
  const read = readEventsFilter(leased.wanted?.filter ?? {})
  if (isRefusal(read)) return read
  const wanted = new Set(leased.wanted?.types ?? [])
  const types = readableTypes(new Set(SCOPES)).filter((type) => wanted.has(type))
  const after = (leased.cursor as { readonly after: number } | null)?.after ?? 0
  const [result] = await deps.reader.send([listSteps(leased, after, types, STEPS_AT_ONCE)])
  const steps = (result?.rows ?? []).map(stepFrom)
  const { profileId } = await deps.merchantOf(leased)
  const end = leased.upTo ?? 0
  const rows = steps.flatMap(({ position, event }) =>
    event && position <= end ? [eventRow(deps.presenter, event, profileId, leased.livemode)] : [],
  )
  const last = steps.at(-1)?.position ?? end
  return { rows, cursor: steps.length < STEPS_AT_ONCE || last >= end ? null : { after: last } }
}

export const PAGES_OF: Readonly<Record<Exported, Pages>> = { contracts, entries, events }

const CONTRACT =
  'id kind livemode status amount currency preview.amount preview.fees.total preview.receive_amount amount_received amount_refunded channel.id recipient.name recipient.wallet recipient.tag recipient.mobile recipient.email deliverable.reference_id description transfer.status transfer.reference created_at issued_at paid_at completed_at expires_at updated_at version metadata'
const ENTRY =
  'wallet_id sequence debit credit amount currency available_after contract_id transaction_id reference created_at'
const EVENT = 'id type created_at kind sequence livemode data.object.id data.object'

/** The columns of a CSV file, by the API's own names; a member of a member is joined to it by a dot. */
export const EXPORT_COLUMNS: Readonly<Record<Exported, readonly string[]>> = {
  contracts: CONTRACT.split(' '),
  entries: ENTRY.split(' '),
  events: EVENT.split(' '),
}
