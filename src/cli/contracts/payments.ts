// gateway payments: payment contracts over HTTP, as the merchant and as the payer. Each command is parse, one call, print.
import type { Command } from 'commander'
import {
  commandWithJson,
  currency,
  decimalNumber,
  durationSeconds,
  groupOf,
  jsonObject,
  metadataPair,
  uuid,
  wholeNumber,
  type WithJson,
} from '../arguments.ts'
import { type Call, call, type Place, type PlaceOptions, placeOf, sandboxOf, withPlace } from '../client.ts'
import { note, print, printJson } from '../output.ts'
import { paymentActionCommands } from './payment-actions.ts'
import { type Checkout, checkoutUrl, methodOf, type MethodOptions, withMethod } from './payment-method.ts'
import { type PaymentBody, printNextAction, printPayment, printPayments, printWholePayment } from './payment-view.ts'
import { watchContract } from './watch.ts'

type Options = WithJson & PlaceOptions
const PATH = '/contracts/payment'

export function paymentsCommand(): Command {
  return groupOf('payments', 'create, pay, read, cancel, refund and return payment contracts: money that comes in', [
    createCommand(),
    payCommand(),
    getCommand(),
    listCommand(),
    watchCommand(),
    cancelCommand(),
    ...paymentActionCommands(),
  ])
}

type CreateOptions = Options &
  MethodOptions & {
    readonly amount?: number
    readonly currency?: string
    readonly channel?: string
    readonly description?: string
    readonly reference?: string
    readonly returnUrl?: string
    readonly expiresIn?: number
    readonly metadata?: Readonly<Record<string, string>>
    readonly data?: Record<string, unknown>
    readonly idempotencyKey?: string
  }

function createCommand(): Command {
  const command = commandWithJson('create', 'open a payment contract, and print where its payer pays', [
    'gateway payments create --amount 500 --currency PHP --description "Coffee, one bag" --reference order-17',
    'gateway payments create --amount 500 --currency PHP --method gcash --mobile 09171234567',
    'gateway payments create --amount 500 --currency PHP --method qr --expires-in 15m',
  ])
  return withMethod(
    withPlace(command)
      .option('--amount <decimal>', 'in major units, such as 500 or 19.99', decimalNumber)
      .option('--currency <code>', 'ISO 4217, such as PHP', currency)
      .option('--channel <id>', 'the only way to pay, such as qrph (default: the payer chooses)')
      .option('--description <text>', 'what the payer reads')
      .option('--reference <text>', 'your own reference (deliverable.reference_id)')
      .option('--return-url <url>', 'where the payer goes afterwards')
      .option('--expires-in <duration>', 'such as 15m (default: 30m)', durationSeconds)
      .option('--metadata <name=value>', 'a pair of your own; may be given again', metadataPair)
      .option('--data <json>', 'any fields of the API, as a JSON object', jsonObject),
  )
    .option('--idempotency-key <key>', 'makes a repetition harmless')
    .action((options: CreateOptions, self: Command) => {
      const body = bodyOf(options, methodOf(options, self))
      return change(placeOf(options), options, {
        method: 'POST',
        path: PATH,
        body,
        idempotencyKey: options.idempotencyKey,
      })
    })
}

function bodyOf(options: CreateOptions, payment: Record<string, unknown> | undefined): Record<string, unknown> {
  const { amount, currency: code, channel, description, reference, returnUrl, expiresIn, metadata, data = {} } = options
  const named = { amount, currency: code, channel, description, return_url: returnUrl, expires_in: expiresIn, payment }
  const body: Record<string, unknown> = { ...data }
  for (const [field, value] of Object.entries(named)) if (value !== undefined) body[field] = value
  if (metadata !== undefined) body['metadata'] = { ...(data['metadata'] as object | undefined), ...metadata }
  if (reference !== undefined)
    body['deliverable'] = { ...(data['deliverable'] as object | undefined), reference_id: reference }
  return body
}

type PayOptions = Options & MethodOptions & { readonly checkoutUrl?: Checkout }

function payCommand(): Command {
  const command = commandWithJson('pay', 'choose how a contract is paid, and print what the payer does next', [
    'gateway payments pay 0198… --method qr',
    'gateway payments pay --checkout-url https://…/pay/… --method gcash',
    'GATEWAY_API_KEY=gck_… gateway payments pay --checkout-url https://…/pay/… --method wallet --wallet 0198…',
  ])
  return withMethod(withPlace(command))
    .argument('[id]', 'the contract, with the key of its account', uuid)
    .option(
      '--checkout-url <url>',
      'or its checkout_url, as the payer has it; no key is sent but that of a wallet',
      checkoutUrl,
    )
    .action((id: string | undefined, options: PayOptions, self: Command) => {
      const { checkoutUrl: checkout, method } = options
      const contractId = checkout?.contractId ?? id
      if (contractId === undefined || (id !== undefined && contractId !== id))
        self.error('error: give the id of a contract, or --checkout-url', { exitCode: 2 })
      const body = methodOf(options, self)
      if (body === undefined) self.error('error: give --method', { exitCode: 2 })
      const place = checkout ? payerPlace(options, checkout) : placeOf(options)
      if (method === 'wallet' && !checkout)
        self.error('error: a wallet pays with --checkout-url and the key of its own account', { exitCode: 2 })
      return change(place, options, { method: 'PUT', path: `${PATH}/${contractId}/pay`, body })
    })
}

/** A payer proves the right to the contract by its token; only a wallet needs the key of its account beside. */
function payerPlace(options: PayOptions, { baseUrl, token }: Checkout): Place {
  const apiKey = options.method === 'wallet' ? placeOf({ ...options, url: baseUrl }).apiKey : ''
  return { baseUrl, apiKey, token }
}

async function change(place: Place, { json }: WithJson, what: Call): Promise<void> {
  const data = await call<{ contract: PaymentBody }>(place, what)
  if (json) return printJson(data)
  const { contract } = data
  printPayment(contract)
  if (contract.next_action) printNextAction(contract.next_action)
  const sandboxUrl = contract.next_action?.type === 'display_qr' ? sandboxOf(place) : null
  if (sandboxUrl !== null)
    print(`\nNo real bank takes a code of the sandbox: paste its text at ${sandboxUrl}/payer/qrph`)
}

function one(name: string, description: string, examples: readonly string[]): Command {
  return withPlace(commandWithJson(name, description, examples)).argument('<id>', 'the contract', uuid)
}

async function read(options: Options, id: string): Promise<PaymentBody> {
  const { contract } = await call<{ contract: PaymentBody }>(placeOf(options), { method: 'GET', path: `${PATH}/${id}` })
  return contract
}

function getCommand(): Command {
  return one('get', 'show a contract with its attempts, its money and its history', [
    'gateway payments get 0198…',
  ]).action(async (id: string, options: Options) => {
    const contract = await read(options, id)
    if (options.json) printJson({ contract })
    else printWholePayment(contract)
  })
}

// Settlement may take days: who waits for a payment waits until it is paid.
const ENDS = new Set(['paid', 'completed', 'cancelled', 'expired'])

function watchCommand(): Command {
  return one('watch', 'follow a contract until it is paid, or ends', ['gateway payments watch 0198…']).action(
    (id: string, options: Options) => watchContract(options, () => read(options, id), ENDS),
  )
}

function cancelCommand(): Command {
  return one('cancel', 'cancel a contract that is not paid; what is open at a rail is closed there first', [
    'gateway payments cancel 0198… --reason "ordered twice"',
  ])
    .option('--reason <text>', 'why')
    .action((id: string, options: Options & { readonly reason?: string }) => {
      const body = options.reason === undefined ? undefined : { reason: options.reason }
      return change(placeOf(options), options, { method: 'DELETE', path: `${PATH}/${id}`, body })
    })
}

type ListOptions = Options & {
  readonly status?: string
  readonly channel?: string
  readonly currency?: string
  readonly reference?: string
  readonly limit?: number
  readonly after?: string
}

function listCommand(): Command {
  const command = commandWithJson('list', 'list contracts, newest first', [
    'gateway payments list --status paid',
    'gateway payments list --reference order-17 --json',
  ])
  return withPlace(command)
    .option('--status <status>', 'only those that are issued, paid, completed, cancelled or expired')
    .option('--channel <id>', 'only those of the channel')
    .option('--currency <code>', 'only those in the currency', currency)
    .option('--reference <text>', 'only those with this reference of yours')
    .option('--limit <n>', 'at most so many, up to 100', wholeNumber)
    .option('--after <cursor>', 'go on after the page that ended with this', uuid)
    .action(async (options: ListOptions) => {
      const { status, channel, currency: code, reference, limit, after } = options
      const query = { status, channel, currency: code, reference_id: reference, limit, after }
      const page = await call<{ contracts: PaymentBody[]; next: string | null }>(placeOf(options), {
        method: 'GET',
        path: PATH,
        query,
      })
      if (options.json) return printJson(page)
      printPayments(page.contracts)
      if (page.next !== null) note(`More: gateway payments list --after ${page.next}`)
    })
}
