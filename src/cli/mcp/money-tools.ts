// The tools that bind or move money: issue, pay, refund, cancel. Each shows first what it would do, and does it on the second
// call, with the confirmation that the first gave. The gateway checks the version that was shown again where it does it.
import type { Payment, Transfer } from '../../../sdk/src/index.ts'
import { moneyText } from '../view.ts'
import { arrivalNow, confirmed, difference, type Deed, mandateFor, noArrival, walletFor } from './deed.ts'
import { amount, Confirmation, id } from './inputs.ts'
import { type Said, type Session, tool, ToolFailed } from './tool.ts'
import { type Contract, contractWords, messageLines, priceWords, recipientWords } from './words.ts'
import Type from 'typebox'
import { closed } from '../../wire/shapes.ts'

const TWO_CALLS = 'The first call shows what would happen and gives a confirmation; the second must bring it.'

const TransferId = id('The transfer contract.')
const Wallet = Type.Optional(id('The wallet that pays: list_wallets. By default the default one of the currency.'))

function must(contract: Contract, statuses: readonly string[], verb: string): void {
  if (statuses.includes(contract.status)) return
  throw new ToolFailed(
    'wrong_state',
    `The contract ${contract.id} is ${contract.status}, and only one that is ${statuses.join(' or ')} can be ${verb}. Nothing was done.`,
  )
}

function mustBeValid({ preview, id: contractId }: Transfer): void {
  if (preview.valid) return
  const lines = messageLines(preview).join('\n')
  throw new ToolFailed(
    'requirements_not_met',
    `The draft ${contractId} still lacks something; mend it with update_draft. Nothing was done.\n${lines}`,
    { messages: preview.messages },
  )
}

const done = (contract: Contract, more: object = {}): Said => ({
  text: `Done. ${contractWords(contract)}`,
  data: { done: true, contract, ...more },
})

const issue = tool(
  'issue_transfer',
  {
    title: 'Issue a transfer',
    description: `Freezes the terms and the price of a draft, so that it can be paid. No money moves. ${TWO_CALLS}`,
    kind: 'binds',
  },
  closed({ id: TransferId, confirmation: Confirmation }),
  async (session, { confirmation, ...input }) =>
    confirmed(session, { tool: 'issue_transfer', input, confirmation }, async () => {
      const { id: contractId } = input
      const contract = await session.gateway.transfers.get(contractId)
      must(contract, ['draft'], 'issued')
      mustBeValid(contract)
      const would = `issue transfer ${contractId}: ${priceWords(contract)} to ${recipientWords(contract)} through ${contract.channel?.id}. Its terms cannot be changed then, and nothing is paid yet.`
      const deed: Deed = { would, contract, leaves: 0, wallet: null, mandate: null, arrival: noArrival, input: {} }
      return {
        deed,
        carryOut: async (idempotencyKey) => {
          const body = { preview: { amount: contract.preview.amount } }
          return done(await session.gateway.transfers.issue({ id: contractId }, body, guard(contract, idempotencyKey)))
        },
      }
    }),
)

const guard = ({ version }: Contract, idempotencyKey: string) => ({ ifMatch: version, idempotencyKey })

/** What paying the contract would do, whichever tool asks. */
export async function payDeed({ gateway }: Session, contract: Transfer, named: string | undefined): Promise<Deed> {
  const wallet = await walletFor(gateway, contract, named)
  const would = `pay transfer ${contract.id}: ${priceWords(contract)} to ${recipientWords(contract)} through ${contract.channel?.id}.`
  return {
    would,
    contract,
    leaves: contract.preview.amount,
    wallet,
    mandate: await mandateFor(gateway, contract.currency, contract.preview.amount),
    arrival: () => arrivalNow(gateway, contract),
    input: { wallet: named ?? null },
  }
}

const pay = tool(
  'pay_transfer',
  {
    title: 'Pay a transfer',
    description: `Pays an issued transfer from a wallet: the money leaves. ${TWO_CALLS}`,
    kind: 'binds',
  },
  closed({ id: TransferId, wallet: Wallet, confirmation: Confirmation }),
  async (session, { confirmation, ...input }) =>
    confirmed(session, { tool: 'pay_transfer', input, confirmation }, async () => {
      const { id: contractId, wallet } = input
      const contract = await session.gateway.transfers.get(contractId)
      must(contract, ['issued'], 'paid')
      const deed = await payDeed(session, contract, wallet)
      return {
        deed,
        carryOut: async (idempotencyKey) => {
          // The wallet that was shown, whichever is the default by now.
          const body = { preview: { amount: contract.preview.amount }, source: wallet ?? deed.wallet?.id }
          return done(await session.gateway.transfers.pay({ id: contractId }, body, guard(contract, idempotencyKey)))
        },
      }
    }),
)

const refund = tool(
  'refund_payment',
  {
    title: 'Refund a payment',
    description: `Gives money of a paid payment contract back to its payer, the way it came. ${TWO_CALLS}`,
    kind: 'binds',
  },
  closed({
    id: id('The payment contract.'),
    amount: Type.Optional(amount('In major units; left out, all that is left.')),
    reason: Type.Optional(Type.String({ maxLength: 1000, description: 'Why.' })),
    confirmation: Confirmation,
  }),
  async (session, { confirmation, ...input }) =>
    confirmed(session, { tool: 'refund_payment', input, confirmation }, async () => {
      const { id: contractId, amount: wanted, reason } = input
      const contract = await session.gateway.payments.get(contractId)
      must(contract, ['paid', 'completed'], 'refunded')
      const leaves = wanted === undefined ? leftOf(contract) : Number(wanted)
      const would = `refund ${moneyText(leaves, contract.currency)} of payment ${contractId} to its payer.${goneBackWords(contract)}`
      const mandate = await mandateFor(session.gateway, contract.currency, leaves)
      const bound = { reason: reason ?? null }
      const deed: Deed = { would, contract, leaves, wallet: null, mandate, arrival: noArrival, input: bound }
      return {
        deed,
        carryOut: async (idempotencyKey) => {
          const body = { amount: wanted ?? leaves, reason }
          return done(await session.gateway.payments.refund({ id: contractId }, body, guard(contract, idempotencyKey)))
        },
      }
    }),
)

/** So that whoever is asked once more for the same refund sees that it went out before. */
const goneBackWords = ({ amount_refunded: refunded, currency }: Payment) =>
  refunded === 0 ? '' : ` ${moneyText(refunded, currency)} of it has gone back already, or is on its way.`

const leftOf = ({ amount_received: received, amount_refunded: refunded, currency }: Payment) =>
  difference(received, refunded, currency)

const cancel = tool(
  'cancel_transfer',
  {
    title: 'Cancel a transfer',
    description: `Cancels a transfer. One that nobody has paid ends at once; of one that is paid the money comes back where it has not arrived. ${TWO_CALLS} An unpaid one needs no confirmation.`,
    kind: 'binds',
  },
  closed({
    id: TransferId,
    reason: Type.Optional(Type.String({ maxLength: 1000, description: 'Why.' })),
    confirmation: Confirmation,
  }),
  async (session, { confirmation, ...input }) => {
    const { id: contractId, reason } = input
    const { transfers } = session.gateway
    const contract = await transfers.get(contractId)
    if (contract.status === 'draft' || contract.status === 'issued') {
      const { contract: ended } = await transfers.cancel({ id: contractId }, { reason }, { ifMatch: contract.version })
      return done(ended)
    }
    return confirmed(session, { tool: 'cancel_transfer', input, confirmation }, async () => {
      const { cancel_now: outcome } = await transfers.explain(contractId)
      const would = `cancel transfer ${contractId}, which is ${contract.status}: ${priceWords(contract)}. ${outcome}`
      const bound = { reason: reason ?? null }
      const deed: Deed = { would, contract, leaves: 0, wallet: null, mandate: null, arrival: noArrival, input: bound }
      return {
        deed,
        carryOut: async (idempotencyKey) => {
          const ended = await transfers.cancel({ id: contractId }, { reason }, guard(contract, idempotencyKey))
          return done(ended.contract, { refund: ended.refund, cancellation: ended.cancellation })
        },
      }
    })
  },
)

export const MONEY_TOOLS = [issue, pay, refund, cancel]
