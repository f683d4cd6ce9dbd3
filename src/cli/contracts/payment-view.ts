// A payment contract for people to read: what came in, what waits, what went back, and what the payer does next. Takes the
// reply as the API gives it.
import type { presentPayment } from '../../wire/payment.ts'
import { activityLine, moneyText, printMessages, statusText } from './contract-view.ts'
import { modeText, modeWords, paint, print, printPairs, printTable } from '../output.ts'
import { printQr } from './terminal-qr.ts'

export type PaymentBody = ReturnType<typeof presentPayment>
type NextAction = NonNullable<PaymentBody['next_action']>
type Pair = readonly [name: string, value: string]

export function printPayment(contract: PaymentBody): void {
  const { currency, channel, cancellation, deliverable } = contract
  printPairs([
    ['contract', paint('bold', contract.id)],
    ['mode', modeWords(contract.livemode)],
    ['status', statusText(contract.status)],
    ['amount', moneyText(contract.amount, currency)],
    ...pricePairs(contract),
    ['channel', channel ? `${channel.id} (${channel.name})` : 'the payer chooses'],
    ...when('reference', deliverable?.reference_id),
    ...moneyPairs(contract),
    ...when('expires', contract.status === 'issued' ? contract.expires_at : null),
    ...when('paid', contract.paid_at),
    ...when('settles', contract.settles_at),
    ...when('completed', contract.completed_at),
    ...when('cancellation', cancellation && [cancellation.status, cancellation.reason].filter(Boolean).join(', ')),
    ...when('checkout', contract.status === 'issued' ? contract.checkout_url : null),
  ])
  printMessages(contract)
}

const when = (name: string, value: string | null | undefined): Pair[] => (value ? [[name, value]] : [])

/** The price is that of a way to pay: before one is chosen there is none. */
function pricePairs({ channel, preview, currency }: PaymentBody): Pair[] {
  if (!channel) return []
  const { amount, receive_amount: receive } = preview
  // A payer, who has checkout_url and no key, is told no fee.
  const fees: typeof preview.fees | null = preview.fees
  if (fees === null) return [['payer pays', moneyText(amount, currency)]]
  const fee = fees.total === 0 ? 'no fee' : `fee ${moneyText(fees.total, currency)}`
  return [
    ['payer pays', `${moneyText(amount, currency)} (${fee})`],
    ['you get', moneyText(receive, currency)],
  ]
}

function moneyPairs(contract: PaymentBody): Pair[] {
  const { currency, amount_received: received, amount_in_suspense: suspense, amount_refunded: refunded } = contract
  const all: [string, number][] = [
    ['received', received],
    ['in suspense', suspense],
    ['refunded', refunded],
  ]
  return all.flatMap(([name, amount]) => (amount === 0 ? [] : [[name, moneyText(amount, currency)] as const]))
}

/** All there is to know: the attempts, what goes back, and the history. */
export function printWholePayment(contract: PaymentBody): void {
  const { attempts, refunds, currency, activities, next_action: action } = contract
  printPayment(contract)
  if (attempts.length > 0) {
    print()
    const rows = attempts.map(({ number, type, status, amount, details, failure, reference }) => {
      const words = [...Object.entries(details).map(([name, value]) => `${name} ${value}`), failure?.message]
      return [number, type, status, moneyText(amount, currency), reference, words.filter(Boolean).join(', ')]
    })
    printTable(['#', 'ATTEMPT', 'STATUS', 'PAYER PAYS', 'REFERENCE', 'DETAILS'], rows)
  }
  if (refunds.length > 0) {
    print()
    const rows = refunds.map(({ transfer_id: id, from, amount, currency: code, status }) => [
      from === 'payment' ? 'refund' : 'return',
      status,
      moneyText(amount, code),
      id,
    ])
    printTable(['GOES BACK', 'STATUS', 'AMOUNT', 'BY TRANSFER'], rows)
  }
  if (action) printNextAction(action)
  print()
  for (const activity of activities) print(`  ${activityLine(activity)}`)
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
        ['confirmations', `${action.confirmations}`],
      ])
      printQr(action.uri)
      return print(`  ${paint('dim', action.uri)}`)
  }
}

export function printPayments(contracts: readonly PaymentBody[]): void {
  const rows = contracts.map((each) => [
    each.id,
    modeText(each.livemode),
    each.status,
    moneyText(each.amount, each.currency),
    moneyText(each.amount_received, each.currency),
    each.channel?.id ?? '',
    each.deliverable?.reference_id ?? '',
    each.created_at.slice(0, 19).replace('T', ' '),
  ])
  printTable(['CONTRACT', 'MODE', 'STATUS', 'AMOUNT', 'RECEIVED', 'CHANNEL', 'REFERENCE', 'CREATED'], rows)
}
