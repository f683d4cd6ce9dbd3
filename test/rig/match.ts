// The three-way match after a run: what callers were told, what the gateway's contracts and balances say, and what the
// provider did. Each finding is a sentence; none is the proof.
import type { DevFile } from '../../src/main/development.ts'
import { askForAll, type Caller, type Contract } from './caller.ts'
import type { Deed, Story } from './sagas/stories.ts'

export type ProviderBooks = {
  readonly transfers: readonly {
    reference: string
    amount: string
    currency: string
    status: string
    executions: number
  }[]
  readonly totals: Readonly<Record<string, { executions: number; executed_minor: string; returned_minor: string }>>
}

export type Wallet = {
  readonly id: string
  readonly currency: string
  readonly available: number
  readonly held: number
  readonly in_transit: number
}
type Event = {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly data: { readonly object: Contract }
}

export type Observed = {
  readonly contracts: readonly Contract[]
  readonly events: readonly Event[]
  readonly wallets: readonly Wallet[]
  readonly otherWallets: readonly Wallet[]
  readonly provider: ProviderBooks
}

/** Opening balance of both test accounts (docs/design/areas.md), in minor units. */
const OPENING_MINOR = 100_000_000n
/** What the payer gets beside that before a run, in major units: the opening balance lasts an hour of stories. */
export const FUNDED_MAJOR = 1_000_000_000

export async function observe(caller: Caller, other: Caller, provider: Provider): Promise<Observed> {
  return {
    contracts: await askForAll<Contract>(caller, '/contracts/transfer', 'contracts'),
    events: await askForAll<Event>(caller, '/events', 'events'),
    wallets: await askForAll<Wallet>(caller, '/wallets', 'wallets'),
    otherWallets: await askForAll<Wallet>(other, '/wallets', 'wallets'),
    provider: await providerBooks(provider),
  }
}

/** Where the provider is, and what opens its control. */
export type Provider = Pick<DevFile, 'sandbox_url' | 'sandbox_token'>

export const controlOf = ({ sandbox_token: token }: Provider) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

/** Moves the provider's clock: what it will do later by itself, it does now. */
export async function advanceProvider(provider: Provider, seconds: number): Promise<void> {
  const body = JSON.stringify({ advance_seconds: seconds })
  await fetch(`${provider.sandbox_url}/clock`, { method: 'POST', headers: controlOf(provider), body })
}

export async function providerBooks(provider: Provider): Promise<ProviderBooks> {
  const answer = await fetch(`${provider.sandbox_url}/books`, { headers: controlOf(provider) })
  if (!answer.ok) throw new Error(`the provider gives no books: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as ProviderBooks
}

/** Everything that does not fit together. */
export function mismatches(stories: readonly Story[], observed: Observed): string[] {
  const { contracts, wallets, otherWallets, provider } = observed
  return [
    ...storiesAgainstContracts(stories, contracts),
    ...contractsAgainstProvider(contracts, provider),
    ...contractsAgainstBalances(contracts, wallets, OPENING_MINOR + minorOf(FUNDED_MAJOR)),
    ...receivedAgainstBalance(contracts, otherWallets, OPENING_MINOR),
    ...contractsAgainstEvents(observed),
  ]
}

/** What one of several accounts told and has; it began with `fundedMajor` and is paid by nobody. */
export type Payer = Pick<Observed, 'contracts' | 'events' | 'wallets'> & {
  readonly name: string
  readonly stories: readonly Story[]
  readonly fundedMajor: number
}

/** The same of several accounts that pay by one provider. `received`: the wallets that their transfers inside come to, empty before. */
export function mismatchesOfAll(
  payers: readonly Payer[],
  received: readonly Wallet[],
  provider: ProviderBooks,
): string[] {
  const contracts = payers.flatMap((each) => each.contracts)
  const own = payers.flatMap(({ name, stories, fundedMajor, ...has }) =>
    [
      ...storiesAgainstContracts(stories, has.contracts),
      ...contractsAgainstBalances(has.contracts, has.wallets, minorOf(fundedMajor)),
      ...contractsAgainstEvents(has),
    ].map((finding) => `${name}: ${finding}`),
  )
  return [...own, ...contractsAgainstProvider(contracts, provider), ...receivedAgainstBalance(contracts, received, 0n)]
}

const minorOf = (major: number | string) => BigInt(Math.round(Number(major) * 100))
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)
function grouped<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each])
  return groups
}
const has = (contract: Contract, type: string) => contract.activities.some((line) => line.type === type)

/** What was acknowledged is there, and no request took effect twice. */
function storiesAgainstContracts(stories: readonly Story[], contracts: readonly Contract[]): string[] {
  const found: string[] = []
  const byName = grouped(contracts, (contract) => contract.deliverable?.reference_id ?? '')
  for (const story of stories) {
    const own = byName.get(`story ${story.number}`) ?? []
    const acked = new Set<Deed>(story.log.filter(({ reply }) => reply?.status === 200).map(({ deed }) => deed))
    const say = (what: string) =>
      found.push(`story ${story.number} (${own[0]?.status ?? 'no contract'}, ${[...acked].join(' ')}): ${what}`)
    if (own.length > 1) say(`${own.length} contracts from one key`)
    if (acked.has('create') && own[0]?.id !== story.contractId) say('the contract that was acknowledged is not there')
    const contract = own[0]
    if (!contract) continue
    if (acked.has('update') && contract.description !== `mended ${story.number}`) say('an acknowledged update is lost')
    if (acked.has('issue') && contract.issued_at === null) say('an acknowledged issue is lost')
    if (acked.has('pay') && !['paid', 'completed', 'cancelled', 'returned'].includes(contract.status))
      say('an acknowledged pay is lost')
    if (acked.has('cancel') && contract.status !== 'cancelled' && contract.cancellation?.status !== 'refused')
      say('an acknowledged cancel is lost')
    if (contract.cancellation?.status === 'pending') say('a cancellation is still pending')
    if (!['draft', 'issued', 'completed', 'cancelled', 'expired'].includes(contract.status))
      say('the contract has not ended')
    for (const once of ['created', 'updated', 'issued', 'paid', 'completed', 'refunded', 'cancelled', 'returned'])
      if (contract.activities.filter((line) => line.type === once).length > 1) say(`${once} more than once`)
  }
  return found
}

/** The provider moved the money of each completed contract once, and kept nothing of any other. */
function contractsAgainstProvider(contracts: readonly Contract[], { transfers, totals }: ProviderBooks): string[] {
  const found: string[] = []
  const byReference = new Map(transfers.map((transfer) => [transfer.reference, transfer]))
  const outside = contracts.filter(({ channel }) => channel?.id === 'sandbox')
  for (const { id, status, transfer, preview } of outside) {
    const order = transfer.reference === null ? undefined : byReference.get(transfer.reference)
    const kept = order && order.status !== 'returned' ? order.executions : 0
    if (kept !== (status === 'completed' ? 1 : 0))
      found.push(`${id} is ${status}, and the provider has it ${order?.status}, executed ${order?.executions}`)
    if (order && minorOf(order.amount) !== minorOf(preview.receive_amount))
      found.push(`${id}: the provider was asked to move ${order.amount}`)
  }
  const known = new Set(outside.map(({ transfer }) => transfer.reference))
  for (const { reference, executions } of transfers) {
    if (executions > 1) found.push(`${reference} was executed ${executions} times`)
    if (!known.has(reference)) found.push(`the provider has ${reference}, which no contract has`)
  }
  const completed = sum(
    outside.filter(({ status }) => status === 'completed').map(({ preview }) => minorOf(preview.receive_amount)),
  )
  const total = totals['PHP'] ?? { executed_minor: '0', returned_minor: '0' }
  const kept = BigInt(total.executed_minor) - BigInt(total.returned_minor)
  if (kept !== completed) found.push(`the provider kept ${kept} and the completed contracts come to ${completed}`)
  return found
}

const inPhp = (wallets: readonly Wallet[]) => wallets.filter(({ currency }) => currency === 'PHP')

/** The payer's balance is what was not spent. */
function contractsAgainstBalances(
  contracts: readonly Contract[],
  wallets: readonly Wallet[],
  fundedMinor: bigint,
): string[] {
  const completed = contracts.filter(({ status }) => status === 'completed')
  const spent = sum(completed.map(({ preview }) => minorOf(preview.amount)))
  // A bounced transfer is refunded without its fee, which was earned.
  const feesOfBounced = sum(
    contracts
      .filter((each) => each.status === 'cancelled' && has(each, 'returned'))
      .map(({ preview }) => minorOf(preview.fees.total)),
  )
  const [php] = inPhp(wallets)
  const expected = [fundedMinor - spent - feesOfBounced, 0n, 0n]
  const actual = [php?.available, php?.held, php?.in_transit].map((major) => minorOf(major ?? Number.NaN))
  const names = ['available', 'held', 'in transit']
  return names.flatMap((name, i) =>
    actual[i] === expected[i] ? [] : [`${name} is ${actual[i]} and should be ${expected[i]}`],
  )
}

/** What went inside the gateway arrived in these wallets, which had `beforeMinor` together. */
function receivedAgainstBalance(
  contracts: readonly Contract[],
  received: readonly Wallet[],
  beforeMinor: bigint,
): string[] {
  const inside = sum(
    contracts
      .filter(({ status, channel }) => status === 'completed' && channel?.id === 'wallet')
      .map(({ preview }) => minorOf(preview.receive_amount)),
  )
  const available = sum(inPhp(received).map((wallet) => minorOf(wallet.available)))
  const expected = beforeMinor + inside
  return available === expected ? [] : [`what came into other wallets is ${available} and should be ${expected}`]
}

/** The feed has every event of every contract in order, without a gap. */
function contractsAgainstEvents({ contracts, events }: Pick<Observed, 'contracts' | 'events'>): string[] {
  const found: string[] = []
  // The feed tells of members and wallets, too.
  const ofContracts = events.filter(({ type }) => type.startsWith('contract.'))
  const byContract = grouped(ofContracts, (event) => event.data.object.id)
  for (const contract of contracts) {
    const own = byContract.get(contract.id) ?? []
    if (own.some((event, index) => event.sequence !== index + 1))
      found.push(`${contract.id}: events out of order or missing`)
    for (const [type, happened] of [
      ['contract.created', true],
      ['contract.issued', contract.issued_at !== null],
      ['contract.paid', contract.paid_at !== null],
      ['contract.completed', has(contract, 'completed')],
      ['contract.cancelled', contract.status === 'cancelled'],
    ] as const)
      if (own.filter((event) => event.type === type).length !== (happened ? 1 : 0))
        found.push(`${contract.id} is ${contract.status}, but ${type} is not told so`)
  }
  if (byContract.size !== contracts.length)
    found.push(`events of ${byContract.size} contracts, and there are ${contracts.length}`)
  return found
}
