// The provider's books beside ours. It begins with the account's own contracts and asks the provider about their
// references alone: what other accounts sent is never read.
import type {
  ProviderCollection,
  ProviderOrder,
  ProviderRefund,
  SandboxControl,
} from '../../connectors/sandbox/control.ts'
import { attemptsAt, type ComparedOrder, type OurOrder, type TheirOrder } from '../../domain/channel/sandbox.ts'
import { shortReference } from '../../domain/contract/ids.ts'
import type { Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { readContractFrom } from '../../store/contracts/contracts.ts'
import { listSentContracts } from '../../store/contracts/sent-contracts.ts'
import type { Sandbox } from './sandbox.ts'

export type OrdersAsked = {
  readonly rail: string | null
  readonly reference: string | null
  readonly contractId: string | null
  readonly after: string | null
  /** Of contracts, each of which may have several attempts. */
  readonly limit: number
}

/**
 * The attempts at the account's newest contracts on rails of the provider. One contract more than the limit is read, to
 * tell whether there is a next page. Throws where the provider does not answer.
 */
export async function comparedOrders(
  { control, rails }: Sandbox,
  reader: Session,
  key: AccountKey,
  { rail, reference, ...asked }: OrdersAsked,
): Promise<{ readonly orders: readonly ComparedOrder[]; readonly contractIds: readonly string[] }> {
  const wanted = rails.filter((each) => rail === null || each.rail === rail)
  const channelIds = wanted.flatMap(({ channels }) => channels)
  const [result] = await reader.send([listSentContracts(key, { ...asked, channelIds })])
  const contracts = (result?.rows ?? []).map(readContractFrom)
  const ours = contracts
    .slice(0, asked.limit)
    .flatMap((contract) => attemptsAt(contract, wanted))
    .filter((order) => reference === null || namesOf(order).includes(reference))
  const orders = await Promise.all(ours.map(async (order) => ({ ...order, theirs: await theirsOf(control, order) })))
  return { orders, contractIds: contracts.map(({ id }) => id) }
}

/** A code that payers scan has room for the short form alone. */
const namesOf = ({ reference, contract, number }: OurOrder) => [reference, shortReference(contract.id, number)]

async function theirsOf(control: SandboxControl, order: OurOrder): Promise<TheirOrder | null> {
  const { rail, reference, direction } = order
  if (direction === 'out') {
    const found = await control.order(rail, reference)
    return found ? theirPayout(found) : theirRefund(await control.collection(rail, reference), order)
  }
  for (const name of namesOf(order)) {
    const found = await control.collection(rail, name)
    if (found) return theirPayment(found)
  }
  return null
}

const theirPayout = ({ executions, returns, ...order }: ProviderOrder): TheirOrder => ({
  ...order,
  moved: executions,
  movedBack: returns,
})

/** A rail that refunds by itself has no payout for it, but a refund of what was paid. */
function theirRefund(collection: ProviderCollection | null, { reference }: OurOrder): TheirOrder | null {
  const refund = collection?.refunds.find((each) => each.reference === reference)
  if (!collection || !refund) return null
  const { status, code, amountMinor } = refund
  const { currency } = collection
  return { status, code, amountMinor, currency, moved: isDone(refund) ? 1 : 0, movedBack: 0, history: [] }
}

const isDone = ({ status }: ProviderRefund) => status === 'succeeded'

const theirPayment = ({ payments, refunds, ...collection }: ProviderCollection): TheirOrder => ({
  ...collection,
  code: null,
  moved: payments,
  movedBack: refunds.filter(isDone).length,
  history: [],
})
