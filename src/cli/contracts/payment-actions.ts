// gateway payments refund, return, unallocated and take: money that goes back, and what providers reported that no contract fits.
// The last two are the operator's, on the database itself.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import type { OpenEvent } from '../../store/payments/payment-events.ts'
import { decimalNumber, uuid, wholeNumber } from '../arguments.ts'
import { CommandFailed } from '../failures.ts'
import { call, get, post } from '../client.ts'
import { apiCommand, argument, command, idOption, option, required, withDefault } from '../command.ts'
import { placeOf } from '../place.ts'
import { asOperator, DEED, deedOf, noSuchAccount } from '../operator/as-operator.ts'
import { print } from '../output.ts'
import { timeText } from '../times.ts'
import { moneyText, printMany, type Shows, stateText } from '../view.ts'
import { printProfile } from '../profiles/profile-view.ts'
import { PAYMENT_ID, IDEMPOTENCY, REASON } from './contract-commands.ts'
import { type Payment, printPayment } from './payment-view.ts'
import { anyRecipientOf, RECIPIENT } from './recipient.ts'

const BACK_TO = {
  channel: option(
    '<id>',
    'a channel that pays out to whom the next options name, where the rail itself gives nothing back',
  ),
  ...RECIPIENT,
  idempotencyKey: option('<key>', 'makes a repetition harmless: without one, a second call gives back again'),
}

export const refund = apiCommand('refund', 'give back what was paid, or a part; a transfer contract of its own', {
  examples: [
    'gateway payments refund 0198… --amount 100 --reason "one bag was torn" --idempotency-key return-17',
    'gateway payments refund 0198…',
    `gateway payments refund 0198… --channel ${EXAMPLES.bank} --to-name "Ana Cruz" --to-wallet 001234567890 --to-tag BOPIPHMM`,
  ],
  arguments: [PAYMENT_ID],
  options: {
    ...BACK_TO,
    amount: option('<decimal>', 'in major units (default: everything that is left)', decimalNumber),
    ...REASON,
  },
  confirm: async (options, id) => {
    const { contract } = await call<{ contract: Payment }>(placeOf(options), get(`/contracts/payment/${id}`))
    const { amount_received: received, amount_refunded: refunded, currency } = contract
    const amount = options.amount === undefined ? 'everything that is left' : moneyText(options.amount, currency)
    const before = refunded === 0 ? '' : `, of which ${moneyText(refunded, currency)} went back before`
    return `${moneyText(received, currency)} came in${before}. Give ${amount} back?`
  },
  call: ({ amount, reason, channel, idempotencyKey, ...to }, id) =>
    post(
      `/contracts/payment/${id}/refunds`,
      { amount, reason, channel, recipient: anyRecipientOf(to) },
      { idempotencyKey },
    ),
  print: printReturned,
})

export const returnBack = apiCommand(
  'return',
  'send the oldest amount in suspense back, which found no way by itself',
  {
    examples: [
      'gateway payments return 0198…',
      `gateway payments return 0198… --channel ${EXAMPLES.bank} --to-name "Ana Cruz" --to-wallet 001234567890 --to-tag BOPIPHMM`,
    ],
    arguments: [PAYMENT_ID],
    options: BACK_TO,
    confirm: (_, id) => `Send the oldest amount in suspense of payment ${id} back?`,
    call: ({ channel, idempotencyKey, ...to }, id) =>
      post(`/contracts/payment/${id}/returns`, { channel, recipient: anyRecipientOf(to) }, { idempotencyKey }),
    print: printReturned,
  },
)

export const savePayer = apiCommand('save-payer', 'save who paid as a profile, as far as the rail told', {
  examples: ['gateway payments save-payer 0198…', 'gateway payments save-payer 0198… --profile 0199…'],
  arguments: [PAYMENT_ID],
  options: { profile: idOption('<id>', 'it is this one, whom you have already', 'profile'), ...IDEMPOTENCY },
  call: ({ profile, idempotencyKey }, id) =>
    post(`/contracts/payment/${id}/payer-profile`, { profile }, { idempotencyKey }),
  print: printProfile,
})

function printReturned({ contract }: { readonly contract: Payment }): void {
  printPayment(contract)
  const made = contract.refunds.at(-1)
  if (made)
    print(
      `\n${moneyText(made.amount, made.currency)} goes back. Follow it: gateway transfers watch ${made.transfer_id}`,
    )
}

type UnallocatedEvent = Omit<OpenEvent, 'at'> & { readonly accountId: string; readonly at: string }

const UNALLOCATED: Shows<UnallocatedEvent> = [
  ['time', ({ at }) => timeText(at)],
  ['status', 'status'],
  ['type', 'type'],
  ['event', 'id'],
  ['account', 'accountId'],
  ['why', ({ reason }) => reason ?? 'waits for a contract that fits it'],
]

export const unallocated = command(
  'unallocated',
  'list events of providers that fit no contract, or that a person has to look at',
  {
    examples: ['gateway payments unallocated', 'gateway payments unallocated --account 0198… --json'],
    options: {
      account: option('<id>', 'of this account only', uuid),
      limit: withDefault(option('<n>', 'at most so many of each account', wholeNumber), 100),
    },
    notes:
      'An event that is unmatched is looked at again by itself for three days; one that needs review waits for you. Money that\n' +
      'it reports is in no balance: compare with the provider, and take it in with gateway payments take. --json shows\n' +
      'the events as they came.',
    run: ({ account, limit }) =>
      asOperator(async (operator) => {
        const known = (await operator.accounts()).map(({ accountId }) => accountId)
        if (account !== undefined && !known.includes(account)) throw noSuchAccount(account)
        const found: UnallocatedEvent[] = []
        for (const accountId of account === undefined ? known : [account])
          for (const event of await operator.openEvents(accountId, limit))
            found.push({ ...event, accountId, at: new Date(event.at).toISOString() })
        return found
      }),
    json: (found) => ({
      events: found.map(({ accountId, contractId, ...event }) => ({
        ...event,
        account_id: accountId,
        contract_id: contractId,
      })),
    }),
    print: (found) => printMany(found, UNALLOCATED),
  },
)

export const take = command(
  'take',
  'take in an event that fits no contract or needs review: as it came, or for the contract that it is about',
  {
    examples: [
      'gateway payments take evt_5512 --account 0198… --contract 0198… --evidence "the payer called, ticket 4711"',
      'gateway payments take evt_5512 --account 0198… --evidence "the account has a wallet in USD now"',
    ],
    arguments: [argument('<event>', 'the event of the provider, of gateway payments unallocated')],
    options: {
      ...DEED,
      account: required(option('<id>', 'the account that it was reported for', uuid)),
      contract: option('<id>', 'the payment contract that it is about', uuid),
      amount: option('<decimal>', 'what arrived, in major units, where the event cannot be read', decimalNumber),
      currency: option('<code>', 'its currency, likewise'),
    },
    confirm: ({ account }, event) => `Take the event ${event} in, and book its money for account ${account}?`,
    run: async ({ account, contract = null, amount = null, currency = null, ...options }, event) => {
      const { evidence, operator: name } = deedOf(options)
      const known = [contract, amount, currency].filter((each) => each !== null).join(' ')
      // The books say what was known better, whatever else the operator says.
      const deed = { evidence: known === '' ? evidence : `${evidence} (${known})`, operator: name }
      const correction = { contractId: contract, amount, currency }
      const { reception, contract: taken } = await asOperator((operator) =>
        operator.takeEvent(account, event, correction, deed),
      )
      return { event, account_id: account, reception, taken, deed }
    },
    json: ({ taken, deed, ...result }) => ({ ...result, contract_id: taken?.id ?? null, ...deed }),
    print: ({ reception, taken }) => {
      if (reception === 'names_not_found') throw new CommandFailed('The event could not be matched. Try again.')
      print(TAKEN[reception])
      if (taken) print(`The contract ${taken.id} is ${stateText(taken.status)}.`)
    },
  },
)

const TAKEN = {
  applied: 'The event is taken in, and its money is booked.',
  duplicate: 'The event says nothing new: its money is booked already.',
  ignored: 'The event is taken in. It changes nothing about the contract.',
  unmatched: 'No contract fits the event yet. It is looked at again by itself.',
  needs_review: 'The event still waits for a person: gateway payments unallocated says why.',
} as const
