// gateway payments: payment contracts over HTTP, as the merchant and as the payer. Each command is parse, one call, print.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import { durationSeconds } from '../arguments.ts'
import { Misused } from '../failures.ts'
import { call, post, put, remove } from '../client.ts'
import { type Place, placeOf, sandboxOf } from '../place.ts'
import { apiCommand, command, groupOf, idArgument, idOption, option, PLACE } from '../command.ts'
import { print } from '../output.ts'
import {
  PAYMENT_ID,
  DRAFT,
  draftOf,
  getCommand,
  IDEMPOTENCY,
  type Kind,
  contractList,
  REASON,
  watchCommand,
} from './contract-commands.ts'
import { attemptsCommand, deliveriesCommand, entriesCommand, explainCommand } from './contract-records.ts'
import { unallocated, refund, returnBack, savePayer, take } from './payment-actions.ts'
import { payerPlace, walletQuestion } from './payer.ts'
import { checkoutUrl, METHOD, methodOf } from './payment-method.ts'
import {
  type Payment,
  PAYMENT_CSV,
  PAYMENTS,
  printNextAction,
  printPayment,
  printWholePayment,
} from './payment-view.ts'

const PATH = '/contracts/payment'
const PAYMENT: Kind<Payment> = {
  noun: 'payments',
  path: PATH,
  statuses: 'issued, paid, completed, cancelled or expired',
  columns: PAYMENTS,
  csv: PAYMENT_CSV,
  printWhole: printWholePayment,
  // Settlement may take days: who waits for a payment waits until it is paid.
  ends: ['paid', 'completed', 'cancelled', 'expired'],
}

const create = apiCommand('create', 'open a payment contract, and print where its payer pays', {
  examples: [
    'gateway payments create --amount 500 --currency PHP --description "Coffee, one bag" --reference order-17',
    `gateway payments create --amount 500 --currency PHP --method ${EXAMPLES.eWallet} --mobile 09171234567`,
    'gateway payments create --amount 500 --currency PHP --method qr --expires-in 15m',
  ],
  options: {
    ...DRAFT,
    channel: option('<id>', `the only way to pay, such as ${EXAMPLES.code} (default: the payer chooses)`),
    description: option('<text>', 'what the payer reads'),
    expiresIn: option('<duration>', 'such as 15m (default: 30m)', durationSeconds),
    returnUrl: option('<url>', 'where the payer goes afterwards'),
    into: idOption(
      '<wallet>',
      'the wallet that the money goes to (default: the default one of the currency)',
      'wallet',
    ),
    ...METHOD,
    ...IDEMPOTENCY,
  },
  call: ({ returnUrl, into: wallet, idempotencyKey, ...options }) =>
    post(PATH, draftOf(options, { return_url: returnUrl, wallet, payment: methodOf(options) }), { idempotencyKey }),
  print: (reply: Reply, options) => printAnswer(reply, placeOf(options)),
})

const PAY = {
  ...PLACE,
  ...METHOD,
  checkoutUrl: option(
    '<url>',
    'or its checkout_url, as the payer has it; no key is sent but that of a wallet, and that only to the gateway it is for',
    checkoutUrl,
  ),
}

const pay = command('pay', 'choose how a contract is paid, and print what the payer does next', {
  examples: [
    'gateway payments pay 0198… --method qr',
    `gateway payments pay --checkout-url https://…/pay/… --method ${EXAMPLES.eWallet}`,
    'GATEWAY_API_KEY=gck_… gateway payments pay --url https://… --checkout-url https://…/pay/… --method wallet --wallet 0198…',
  ],
  arguments: [idArgument('[id]', 'the contract, with the key of its account', 'payment')],
  options: PAY,
  confirmWhere: ({ method, checkoutUrl: checkout }) => method === 'wallet' && checkout !== undefined,
  confirm: walletQuestion,
  run: (options, id) => {
    const { checkoutUrl: checkout, method } = options
    const contractId = checkout?.contractId ?? id
    if (contractId === undefined || (id !== undefined && contractId !== id))
      throw new Misused('give the id of a contract, or --checkout-url')
    const body = methodOf(options)
    if (body === undefined) throw new Misused('give --method')
    if (method === 'wallet' && !checkout)
      throw new Misused('a wallet pays with --checkout-url and the key of its own account')
    return call<Reply>(payerPlace(options), put(`${PATH}/${contractId}/pay`, body))
  },
  print: (reply, options) => printAnswer(reply, payerPlace(options)),
})

const cancel = apiCommand(
  'cancel',
  'cancel a contract that is not paid; what is open at a rail is closed there first',
  {
    examples: ['gateway payments cancel 0198… --reason "ordered twice"'],
    arguments: [PAYMENT_ID],
    options: REASON,
    call: ({ reason }, id) => remove(`${PATH}/${id}`, { reason }),
    print: (reply: Reply, options) => printAnswer(reply, placeOf(options)),
  },
)

type Reply = { readonly contract: Payment }

/** The contract, and what its payer does next. */
function printAnswer({ contract }: Reply, place: Place): void {
  printPayment(contract)
  if (contract.next_action) printNextAction(contract.next_action)
  const sandboxUrl = contract.next_action?.type === 'display_qr' ? sandboxOf(place) : null
  if (sandboxUrl !== null)
    print(`\nNo real bank takes a code of the sandbox: paste its text at ${sandboxUrl}/payer/${EXAMPLES.code}`)
}

export const payments = groupOf(
  'payments',
  'create, pay, read, cancel, refund and return payment contracts: money that comes in',
  [
    create,
    pay,
    getCommand(PAYMENT, 'show a contract with its attempts, its money and its history'),
    contractList(PAYMENT, '--reference order-17'),
    watchCommand(PAYMENT, 'follow a contract until it is paid, or ends'),
    explainCommand(PAYMENT),
    attemptsCommand(PAYMENT),
    entriesCommand(PAYMENT),
    deliveriesCommand(PAYMENT),
    cancel,
    refund,
    returnBack,
    savePayer,
    unallocated,
    take,
  ],
)
