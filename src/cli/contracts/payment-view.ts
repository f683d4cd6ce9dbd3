// A payment contract for people to read: what came in, what waits, what went back, and what the payer does next. Takes the
// reply as the API gives it.
import type { presentPayment } from '../../wire/payment.ts'
import { paint, print, printPairs } from '../output.ts'
import { moneyText, printMany, printOne, type Shows, wordsOf } from '../view.ts'
import { feeText, printActivities, printMessages } from './contract-view.ts'
import { printQr } from './terminal-qr.ts'

export type Payment = ReturnType<typeof presentPayment>
type NextAction = NonNullable<Payment['next_action']>
type Attempt = Payment['attempts'][number]
type Refund = Payment['refunds'][number]

const PAYMENT: Shows<Payment> = [
  ['contract', 'id'],
  ['mode', 'livemode'],
  ['status', 'status'],
  ['amount', 'amount'],
  ['payer pays', payerPays],
  // The price is that of a way to pay: before one is chosen there is none. A payer, who has no key, is shown no fee.
  ['you get', (of) => of.channel && feesOf(of) && moneyText(of.preview.receive_amount, of.currency)],
  ['channel', ({ channel }) => (channel ? `${channel.id} (${channel.name})` : 'the payer chooses')],
  ['reference', ({ deliverable }) => deliverable?.reference_id],
  ['received', (of) => someMoney(of.amount_received, of)],
  ['in suspense', (of) => someMoney(of.amount_in_suspense, of)],
  ['refunded', (of) => someMoney(of.amount_refunded, of)],
  ['expires', ({ status, expires_at: at }) => (status === 'issued' ? at : null)],
  ['paid', 'paid_at'],
  ['payer', ({ payer_profile: payer }) => payer?.profile],
  ['settles', 'settles_at'],
  ['completed', 'completed_at'],
  ['cancellation', ({ cancellation }) => cancellation && wordsOf(cancellation.status, cancellation.reason)],
  ['checkout', ({ status, checkout_url: url }) => (status === 'issued' ? url : null)],
]

export const PAYMENTS: Shows<Payment> = [
  ['contract', 'id'],
  ['mode', 'livemode'],
  ['status', 'status'],
  ['amount', 'amount'],
  ['received', 'amount_received'],
  ['channel', ({ channel }) => channel?.id],
  ['reference', ({ deliverable }) => deliverable?.reference_id],
  ['created', 'created_at'],
]

export const PAYMENT_CSV =
  'id livemode status amount currency amount_received amount_in_suspense amount_refunded channel.id deliverable.reference_id description created_at expires_at paid_at settles_at completed_at updated_at version metadata'.split(
    ' ',
  )

const ATTEMPTS: Shows<Attempt & { readonly currency: string }> = [
  ['#', 'number'],
  ['attempt', 'type'],
  ['status', 'status'],
  ['payer pays', 'amount'],
  ['reference', 'reference'],
  ['details', ({ details, failure }) => [...Object.entries(details).map((each) => each.join(' ')), failure?.message]],
]

const REFUNDS: Shows<Refund> = [
  ['goes back', ({ from }) => (from === 'payment' ? 'refund' : 'return')],
  ['status', 'status'],
  ['amount', 'amount'],
  ['by transfer', 'transfer_id'],
]

const feesOf = ({ preview }: Payment): Payment['preview']['fees'] | null => preview.fees

function payerPays(payment: Payment): string | null {
  const { channel, preview, currency } = payment
  const fees = feesOf(payment)
  const paid = moneyText(preview.amount, currency)
  return channel && (fees === null ? paid : `${paid} (${feeText(fees, currency)})`)
}

const someMoney = (amount: number, { currency }: Payment) => (amount === 0 ? null : moneyText(amount, currency))

export function printPayment(contract: Payment): void {
  printOne(contract, PAYMENT)
  printMessages(contract)
}

/** All there is to know: the attempts, what goes back, and the history. */
export function printWholePayment(contract: Payment): void {
  const { attempts, refunds, currency, next_action: action } = contract
  printPayment(contract)
  if (attempts.length > 0) {
    print()
    printMany(
      attempts.map((each) => ({ ...each, currency })),
      ATTEMPTS,
    )
  }
  if (refunds.length > 0) {
    print()
    printMany(refunds, REFUNDS)
  }
  if (action) printNextAction(action)
  printActivities(contract)
}

/** What the payer does now. */
export function printNextAction(action: NextAction): void {
  print()
  const until = action.expires_at === null ? '' : `, until ${action.expires_at}`
  switch (action.type) {
    case 'redirect':
      print(`The payer goes on here${until}:`)
      return print(`  ${paint('cyan', action.url)}`)
    case 'display_qr':
      print(`The payer scans this with the app of any bank or e-wallet${until}:`)
      printQr(action.data)
      return print(`  ${paint('dim', action.data)}`)
    case 'display_address':
      print(`The payer sends exactly this${until}:`)
      printPairs([
        ['amount', paint('bold', `${action.amount} ${action.asset}`)],
        ['to', paint('bold', action.address)],
        ['network', action.network],
        ['confirmations', action.confirmations],
      ])
      printQr(action.uri)
      return print(`  ${paint('dim', action.uri)}`)
  }
}
