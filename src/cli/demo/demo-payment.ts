// The demo's second story: money comes in. A payer pays by an e-wallet, at the sandbox provider's page, and gets a part back.
import { CommandFailed } from '../failures.ts'
import type { WireError } from '../../../sdk/src/index.ts'
import { call, post } from '../client.ts'
import type { Payment } from '../contracts/payment-view.ts'
import { paint, print, printPairs } from '../output.ts'
import { stateText } from '../view.ts'
import {
  CURRENCY,
  follow,
  money,
  showLedger,
  type Stage,
  untilContract,
  type Wallet,
  walletIn,
  webhooksJson,
} from './demo-story.ts'
import { agreeAt, isSandboxPage } from './sandbox-payer.ts'
import { EXAMPLES } from '../../connectors/catalogue.ts'
import { PAYMENT_METHODS } from '../../domain/payment/kinds.ts'

const PATH = '/contracts/payment'
const E_WALLET = EXAMPLES.eWallet
const { label: NAME } = PAYMENT_METHODS[E_WALLET]
const WANTED = {
  amount: 500,
  currency: CURRENCY,
  description: 'Demo: two bags of coffee',
  payment: { type: E_WALLET, [E_WALLET]: { mobile: '09171234567' } },
}
const REFUND = { amount: 100, reason: 'One bag was torn.' }
// Whoever sees the demo waits so long for a settlement, and no longer.
const SETTLES_SOON_MS = 10_000

/** Shows a payment contract from its opening to a refund; null where no sandbox provider plays that e-wallet here. */
export async function showPayment(stage: Stage) {
  const { place, step, show, inbox } = stage
  const opened = await open(stage)
  if (opened?.next_action?.type !== 'redirect' || !isSandboxPage(opened.next_action.url)) {
    show(() => print(`   ${NAME} is not played by a sandbox provider here: this part of the demo is left out.`))
    return null
  }
  const before = await walletIn(place)
  const path = `${PATH}/${opened.id}`
  const { url } = opened.next_action
  const agrees = `The payer agrees on the page of ${NAME}: here the sandbox provider’s, and the demo presses “Pay”.`
  step(agrees, `POST ${url}  action=pay`)
  await agreeAt(url)
  const paid = await untilContract<Payment>(stage, path, opened, ({ status }) => status !== 'issued')
  await inbox.until(opened.id, 'contract.paid')
  const settled = await settle(stage, path, paid, before)
  const back = 'A part goes back: the rail’s own refund, by a transfer contract of its own.'
  step(back, `POST ${path}/refunds  ${JSON.stringify(REFUND)}`)
  await call(place, post(`${path}/refunds`, REFUND))
  const isBack = ({ refunds }: Payment) => refunds.every(({ status }) => status !== 'open')
  const contract = await untilContract(stage, path, settled, isBack)
  const received = await inbox.until(opened.id, 'contract.refunded')
  const entries = await showLedger(stage, before, [opened.id, ...contract.refunds.map((each) => each.transfer_id)])
  show(() => print(`\n${stateText(contract.status)}: ${summaryOf(contract)}`))
  return { contract, webhooks: webhooksJson(received), entries }
}

/** The contract; null where the gateway does not take it. */
async function open(stage: Stage): Promise<Payment | null> {
  const { step, show, place } = stage
  const opens = `Money comes in, too: a payment contract is issued at once. This payer has chosen ${NAME}.`
  step(opens, `POST ${PATH}  ${JSON.stringify(WANTED)}`)
  try {
    const { contract } = await call<{ contract: Payment }>(place, post(PATH, WANTED))
    show(() => {
      print(`   ${stateText(contract.status)}  ${paint('dim', contract.id)}`)
      printPairs([
        ['payer pays', money(contract.preview.amount)],
        ['of it the fee', money(contract.preview.fees.total)],
        ['you get', money(contract.preview.receive_amount)],
        ['checkout_url', contract.checkout_url],
      ])
    })
    follow(stage, contract.id)
    return contract
  } catch (fault) {
    const details = fault instanceof CommandFailed ? (fault.details as WireError | null) : null
    if (details?.type === 'invalid_request_error') return null
    throw fault
  }
}

/** What was paid is pending until the rail settles; the demo waits for it only where that is a moment. */
async function settle(stage: Stage, path: string, paid: Payment, before: Wallet): Promise<Payment> {
  const isSoon = paid.settles_at !== null && Date.parse(paid.settles_at) - Date.now() < SETTLES_SOON_MS
  const waits = 'Paid is not settled: until then the money is pending, and the wallet cannot spend it.'
  stage.step(waits, `GET /wallets/${before.id}`)
  const isSettled = ({ status }: Payment) => status === 'completed'
  const settled = isSoon ? await untilContract(stage, path, paid, isSettled) : paid
  const wallet = await walletIn(stage.place)
  stage.show(() =>
    printPairs([
      ['pending', `${money(before.pending)} -> ${money(wallet.pending)}`],
      ['available', money(wallet.available)],
      ['settles', settled.settles_at],
    ]),
  )
  return settled
}

function summaryOf({ amount_received: received, preview, amount_refunded: refunded, refunds }: Payment): string {
  const isDone = refunds.some(({ status }) => status === 'done')
  const back = isDone ? `${money(refunded)} went back` : 'the refund failed'
  return `${money(received)} came in, ${money(preview.fees.total)} of it is the fee, and ${back}.`
}
