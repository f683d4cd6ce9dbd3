// gateway payments refund, return, parked and take: money that goes back, and what providers told that no contract fits. The
// last two are the operator's, on the database itself.
import type { Command } from 'commander'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { OpenEvent } from '../../store/payments/payment-events.ts'
import { CommandFailed, commandWithJson, decimalNumber, uuid, wholeNumber, type WithJson } from '../arguments.ts'
import { asOperator } from '../operator/as-operator.ts'
import { call, type PlaceOptions, placeOf, withPlace } from '../client.ts'
import { moneyText, statusText } from './contract-view.ts'
import { print, printJson, printTable } from '../output.ts'
import { type PaymentBody, printPayment } from './payment-view.ts'
import { failedBy, operatorName, withDeed } from './transfer-actions.ts'

export function paymentActionCommands(): readonly Command[] {
  return [refundCommand(), returnCommand(), parkedCommand(), takeCommand()]
}

type PlaceBack = {
  readonly channel?: string
  readonly toName?: string
  readonly toWallet?: string
  readonly toTag?: string
  readonly toMobile?: string
}
type BackOptions = WithJson & PlaceOptions & PlaceBack & { readonly idempotencyKey?: string }

function withPlaceBack(command: Command): Command {
  return withPlace(command)
    .argument('<id>', 'the contract', uuid)
    .option('--channel <id>', 'a channel that pays out, where the rail itself gives nothing back')
    .option('--to-name <name>', 'with --channel: who receives it')
    .option('--to-wallet <account>', 'with --channel: the account number, wallet id or address')
    .option('--to-tag <text>', 'with --channel: the bank, such as BOPIPHMM')
    .option('--to-mobile <number>', 'with --channel: the mobile number')
    .option('--idempotency-key <key>', 'makes a repetition harmless: without one, a second call gives back again')
}

function refundCommand(): Command {
  const command = commandWithJson('refund', 'give back what was paid, or a part; a transfer contract of its own', [
    'gateway payments refund 0198… --amount 100 --reason "one bag was torn" --idempotency-key return-17',
    'gateway payments refund 0198…',
    'gateway payments refund 0198… --channel instapay --to-name "Ana Cruz" --to-wallet 001234567890 --to-tag BOPIPHMM',
  ])
  return withPlaceBack(command)
    .option('--amount <decimal>', 'in major units (default: everything that is left)', decimalNumber)
    .option('--reason <text>', 'why')
    .action((id: string, options: BackOptions & { readonly amount?: number; readonly reason?: string }) => {
      const { amount, reason } = options
      return giveBack(options, `/contracts/payment/${id}/refunds`, { amount, reason, ...placeBackOf(options) })
    })
}

function returnCommand(): Command {
  const command = commandWithJson('return', 'send the oldest amount in suspense back, which found no way by itself', [
    'gateway payments return 0198…',
    'gateway payments return 0198… --channel instapay --to-name "Ana Cruz" --to-wallet 001234567890 --to-tag BOPIPHMM',
  ])
  return withPlaceBack(command).action((id: string, options: BackOptions) =>
    giveBack(options, `/contracts/payment/${id}/returns`, placeBackOf(options)),
  )
}

async function giveBack(options: BackOptions, path: string, body: Record<string, unknown>): Promise<void> {
  const { json, idempotencyKey } = options
  const data = await call<{ contract: PaymentBody }>(placeOf(options), { method: 'POST', path, body, idempotencyKey })
  if (json) return printJson(data)
  const { contract } = data
  printPayment(contract)
  const made = contract.refunds.at(-1)
  if (made)
    print(
      `\n${moneyText(made.amount, made.currency)} goes back. Follow it: gateway transfers watch ${made.transfer_id}`,
    )
}

function placeBackOf({ channel, toName, toWallet, toTag, toMobile }: PlaceBack) {
  const named = { name: toName, wallet: toWallet, tag: toTag, mobile: toMobile }
  const given = Object.entries(named).filter(([, value]) => value !== undefined)
  return { channel, recipient: given.length === 0 ? undefined : Object.fromEntries(given) }
}

const LIMIT_DEFAULT = 100

function parkedCommand(): Command {
  return commandWithJson('parked', 'list what providers told that no contract fits, or that a person has to look at', [
    'gateway payments parked',
    'gateway payments parked --account 0198… --json',
  ])
    .option('--account <id>', 'of this account only', uuid)
    .option('--limit <n>', 'at most so many of each account', wholeNumber, LIMIT_DEFAULT)
    .addHelpText(
      'after',
      '\nAn event that is unmatched is looked at again by itself for three days; one that is parked waits for you. Money that\n' +
        'it tells of is in no balance: compare with the provider, and take it in with gateway payments take. --json shows\n' +
        'the events as they came.',
    )
    .action(parked)
}

type Parked = OpenEvent & { readonly accountId: string }

async function parked({ json, account, limit }: WithJson & { account?: string; limit: number }): Promise<void> {
  const events = await asOperator(async (operator) => {
    const known = (await operator.accounts()).map(({ accountId }) => accountId)
    if (account !== undefined && !known.includes(account))
      throw new CommandFailed(`No account has the id ${account}. See: gateway accounts list`)
    const found: Parked[] = []
    for (const accountId of account === undefined ? known : [account])
      for (const event of await operator.openEvents(accountId, limit)) found.push({ ...event, accountId })
    return found
  })
  if (json) return printJson({ events: events.map(parkedJson) })
  const rows = events.map(({ id, type, status, reason, at, accountId }) => [
    timeOf(at).slice(0, 19).replace('T', ' '),
    status,
    type,
    id,
    accountId,
    reason ?? 'waits for a contract that fits it',
  ])
  printTable(['TIME', 'STATUS', 'TYPE', 'EVENT', 'ACCOUNT', 'WHY'], rows)
}

const timeOf = (atMs: number) => new Date(atMs).toISOString()

const parkedJson = ({ accountId, contractId, at, body, ...rest }: Parked) => ({
  ...rest,
  account_id: accountId,
  contract_id: contractId,
  at: timeOf(at),
  body,
})

type Taking = WithJson & {
  readonly account: string
  readonly contract?: string
  readonly amount?: number
  readonly currency?: string
  readonly evidence: string
  readonly operator?: string
}

function takeCommand(): Command {
  return withDeed(
    commandWithJson(
      'take',
      'take in an event that was needs_review: as it came, or for the contract that it is about',
      [
        'gateway payments take evt_5512 --account 0198… --contract 0198… --evidence "the payer called, ticket 4711"',
        'gateway payments take evt_5512 --account 0198… --evidence "the account has a wallet in USD now"',
      ],
    ),
  )
    .argument('<event>', 'the event of the provider, of gateway payments parked')
    .requiredOption('--account <id>', 'the account that it was told for', uuid)
    .option('--contract <id>', 'the payment contract that it is about', uuid)
    .option('--amount <decimal>', 'what arrived, in major units, where the event cannot be read', decimalNumber)
    .option('--currency <code>', 'its currency, likewise')
    .action(take)
}

const TAKEN = {
  applied: 'The event is taken in, and its money is booked.',
  duplicate: 'The event says nothing new: its money is booked already.',
  ignored: 'The event is taken in. It changes nothing about the contract.',
  unmatched: 'No contract fits the event yet. It is looked at again by itself.',
  needs_review: 'The event still waits for a person: gateway payments parked says why.',
} as const

async function take(event: string, options: Taking): Promise<void> {
  const { json, account, contract = null, amount = null, currency = null, evidence, operator: name } = options
  const known = [contract, amount, currency].filter((each) => each !== null).join(' ')
  // The books say what was known better, whatever else the operator says.
  const deed = { evidence: known === '' ? evidence : `${evidence} (${known})`, operator: operatorName(name) }
  const correction = { contractId: contract, amount, currency }
  const answer = await asOperator((office) => office.takeEvent(account, event, correction, deed))
  if (isRefusal(answer)) throw failedBy(answer)
  const { reception } = answer
  const taken = answer.contract
  if (json) return printJson({ event, account_id: account, reception, contract_id: taken?.id ?? null, ...deed })
  if (reception === 'names_not_found') throw new CommandFailed('The event could not be matched. Try again.')
  print(TAKEN[reception])
  if (taken) print(`The contract ${taken.id} is ${statusText(taken.status)}.`)
}
