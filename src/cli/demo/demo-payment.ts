// The demo's second story: money comes in. A payer pays by GCash, at the sandbox provider's page, and gets a part back.
import { type ApiError, call } from '../client.ts'
import { CommandFailed } from '../arguments.ts'
import { moneyText, statusText } from '../contracts/contract-view.ts'
import {
  CURRENCY,
  type Entry,
  followed,
  heardBody,
  type Stage,
  tellLedger,
  untilContract,
  type Wallet,
  walletIn,
} from './demo-story.ts'
import { paint, print, printPairs } from '../output.ts'
import type { PaymentBody } from '../contracts/payment-view.ts'
import { agreeAt, isSandboxPage } from './sandbox-payer.ts'

export type PaymentStory = {
  readonly contract: PaymentBody
  readonly webhooks: readonly ReturnType<typeof heardBody>[]
  readonly entries: readonly Entry[]
}

const PATH = '/contracts/payment'
const WANTED = {
  amount: 500,
  currency: CURRENCY,
  description: 'Demo: two bags of coffee',
  payment: { type: 'gcash', gcash: { mobile: '09171234567' } },
}
const REFUND = { amount: 100, reason: 'One bag was torn.' }
// Whoever sees the demo waits so long for a settlement, and no longer.
const SETTLES_SOON_MS = 10_000

/** Tells a payment contract from its opening to a refund; null where no sandbox provider plays GCash here. */
export async function tellPayment(stage: Stage): Promise<PaymentStory | null> {
  const { teller, hearing } = stage
  const opened = await open(stage)
  if (opened?.next_action?.type !== 'redirect' || !isSandboxPage(opened.next_action.url)) return elsewhere(stage)
  const before = await walletIn(stage.place)
  const { url } = opened.next_action
  teller.chapter(
    'The payer agrees on the page of GCash: here the sandbox provider’s, and the demo presses “Pay”.',
    `POST ${url}  action=pay`,
  )
  await agreeAt(url)
  const read = readerOf(stage, opened.id)
  const mend = `See: gateway payments get ${opened.id}`
  const paid = await untilContract(stage, read, opened.activities.length, ({ status }) => status !== 'issued', mend)
  await hearing.until(opened.id, 'contract.paid')
  const settled = await settle(stage, paid, before, read)
  teller.chapter(
    'A part goes back: the rail’s own refund, by a transfer contract of its own.',
    `POST ${PATH}/${opened.id}/refunds  ${JSON.stringify(REFUND)}`,
  )
  await call(stage.place, { method: 'POST', path: `${PATH}/${opened.id}/refunds`, body: REFUND })
  const isBack = ({ refunds }: PaymentBody) => refunds.every(({ status }) => status !== 'open')
  const contract = await untilContract(stage, read, settled.activities.length, isBack, mend)
  const webhooks = await hearing.until(opened.id, 'contract.refunded')
  const entries = await tellLedger(stage, before, [opened.id, ...contract.refunds.map((each) => each.transfer_id)])
  teller.show(() => print(`\n${statusText(contract.status)}: ${summaryOf(contract)}`))
  return { contract, webhooks: webhooks.map(heardBody), entries }
}

/** The contract; null where the gateway takes no GCash. */
async function open(stage: Stage): Promise<PaymentBody | null> {
  const { teller, place } = stage
  teller.chapter(
    'Money comes in, too: a payment contract is issued at once. This payer has chosen GCash.',
    `POST ${PATH}  ${JSON.stringify(WANTED)}`,
  )
  try {
    const { contract } = await call<{ contract: PaymentBody }>(place, { method: 'POST', path: PATH, body: WANTED })
    teller.show(() => {
      print(`   ${statusText(contract.status)}  ${paint('dim', contract.id)}`)
      printPairs([
        ['payer pays', moneyText(contract.preview.amount, CURRENCY)],
        ['of it the fee', moneyText(contract.preview.fees.total, CURRENCY)],
        ['you get', moneyText(contract.preview.receive_amount, CURRENCY)],
        ['checkout_url', contract.checkout_url],
      ])
    })
    followed(stage, contract.id)
    return contract
  } catch (fault) {
    const refused =
      fault instanceof CommandFailed && (fault.details as ApiError | null)?.type === 'invalid_request_error'
    if (refused) return null
    throw fault
  }
}

function elsewhere({ teller }: Stage): null {
  teller.show(() => print('   GCash is not played by a sandbox provider here: this part of the demo is left out.'))
  return null
}

const readerOf =
  ({ place }: Stage, id: string) =>
  async (): Promise<PaymentBody> =>
    (await call<{ contract: PaymentBody }>(place, { method: 'GET', path: `${PATH}/${id}` })).contract

/** What was paid is pending until the rail settles; the demo waits for it only where that is a moment. */
async function settle(
  stage: Stage,
  paid: PaymentBody,
  before: Wallet,
  read: () => Promise<PaymentBody>,
): Promise<PaymentBody> {
  const { teller, place } = stage
  const isSoon = paid.settles_at !== null && Date.parse(paid.settles_at) - Date.now() < SETTLES_SOON_MS
  const waits = 'Paid is not settled: until then the money is pending, and the wallet cannot spend it.'
  teller.chapter(waits, `GET /wallets/${before.id}`)
  const isSettled = ({ status }: PaymentBody) => status === 'completed'
  const settled = isSoon ? await untilContract(stage, read, paid.activities.length, isSettled, '') : paid
  const wallet = await walletIn(place)
  const when = settled.settles_at === null ? [] : [['settles', settled.settles_at] as const]
  teller.show(() =>
    printPairs([
      ['pending', `${moneyText(before.pending, CURRENCY)} -> ${moneyText(wallet.pending, CURRENCY)}`],
      ['available', moneyText(wallet.available, CURRENCY)],
      ...when,
    ]),
  )
  return settled
}

function summaryOf({ amount_received: received, preview, amount_refunded: refunded, refunds }: PaymentBody): string {
  const went = refunds.some(({ status }) => status === 'done')
    ? `${moneyText(refunded, CURRENCY)} went back`
    : 'the refund failed'
  return `${moneyText(received, CURRENCY)} came in, ${moneyText(preview.fees.total, CURRENCY)} of it is the fee, and ${went}.`
}
