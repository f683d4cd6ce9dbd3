// Lists of contracts: which ones a query means, and a page of them. The same for a list, for the rows of a command and for an export.
import type { Contract } from '../../domain/contract/contract.ts'
import { invalid, isRefusal, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { minorDigits } from '../../domain/money/currencies.ts'
import { parseDecimal } from '../../domain/money/money.ts'
import { momentOf } from '../../domain/text/moments.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { readContractFrom } from '../../store/contracts/contracts.ts'
import { type ContractFilter, listContracts } from '../../store/contracts/lists.ts'
import type { ContractQuery } from '../../wire/transfer-requests.ts'
import type { Deps } from '../deps.ts'

/** What a list is asked for, without its page. */
export type ContractsAsked = Omit<ContractQuery, 'status' | 'after' | 'limit'> & {
  readonly status?: readonly string[] | undefined
}

/** Which contracts are meant, and which page of them. */
export function contractFilter(
  kind: ContractFilter['kind'],
  asked: ContractsAsked,
  page: Pick<ContractFilter, 'after' | 'limit'>,
): ContractFilter | Refusal {
  const currency = asked.currency?.toUpperCase() ?? null
  const amountFromMinor = minorOf('amount_from', asked.amount_from, currency)
  if (isRefusal(amountFromMinor)) return amountFromMinor
  const amountToMinor = minorOf('amount_to', asked.amount_to, currency)
  if (isRefusal(amountToMinor)) return amountToMinor
  const createdFromMs = momentOf(asked.created_from, '00:00:00.000')
  const createdToMs = momentOf(asked.created_to, '23:59:59.999')
  const [first, ...others] = [
    ...(isAbove(amountFromMinor, amountToMinor) ? [invalid('amount_from', 'amount_from is above amount_to.')] : []),
    ...(isAbove(createdFromMs, createdToMs) ? [invalid('created_from', 'created_from is after created_to.')] : []),
  ]
  if (first) return refuseAll([first, ...others])
  return {
    kind,
    statuses: asked.status ?? null,
    channelId: asked.channel ?? null,
    currency,
    referenceId: asked.reference_id ?? null,
    amountFromMinor,
    amountToMinor,
    profileId: asked.profile?.toLowerCase() ?? null,
    createdFromMs,
    createdToMs,
    upTo: null,
    ...page,
  }
}

const isAbove = <T extends number | bigint>(from: T | null, to: T | null) => from !== null && to !== null && from > to

/** An amount says nothing without its currency. */
function minorOf(param: string, text: string | undefined, currency: string | null): bigint | null | Refusal {
  if (text === undefined) return null
  const digits = currency === null ? undefined : minorDigits(currency)
  const parsed = digits === undefined ? null : parseDecimal(Number(text), digits)
  if (parsed && 'scaled' in parsed) return parsed.scaled
  const why = currency === null ? `Send currency beside ${param}.` : `${param} is no amount in ${currency}.`
  return refuseAll([invalid(param, why)])
}

export type ContractsPage = { readonly contracts: readonly Contract[]; readonly next: string | null }

/**
 * A page of the contracts that fit. Only so many are looked at for it (store/contracts/lists.ts), so that it may hold fewer than were
 * asked for, or none, and yet not be the last.
 */
export async function pageOfContracts(
  { reader }: Pick<Deps, 'reader'>,
  owner: AccountKey,
  filter: ContractFilter,
): Promise<ContractsPage> {
  const [result] = await reader.send([listContracts(owner, filter)])
  const rows = result?.rows ?? []
  const found = rows.filter((row) => row['fits'] === true).map(readContractFrom)
  const contracts = found.slice(0, filter.limit)
  if (found.length > filter.limit) return { contracts, next: contracts.at(-1)?.id ?? null }
  const last = rows.find((row) => row['is_last'] === true)
  return { contracts, next: (last?.['id'] as string | undefined) ?? null }
}
