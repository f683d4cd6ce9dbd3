// gateway trigger: makes an event happen for real, with a test account: a contract is made and moved until the event is
// there. The sandbox provider does what the amount tells it (docs/sandbox.md), as a rail and as a payer.
import { setTimeout as sleep } from 'node:timers/promises'
import { Argument, type Command } from 'commander'
import { eventId } from '../../domain/contract/ids.ts'
import { majorNumber } from '../../domain/money/money.ts'
import { EVENT_TYPES, type EventType } from '../../domain/transfer/moves.ts'
import { isPaymentEvent, type PaymentEvent } from '../../domain/payment/sample.ts'
import { CommandFailed, commandWithJson, currency, decimalNumber, type WithJson } from '../arguments.ts'
import { type ApiError, call, type Place, type PlaceOptions, placeOf, withPlace } from '../client.ts'
import type { ContractBody } from '../contracts/contract-view.ts'
import type { EventBody } from './events.ts'
import type { PaymentBody } from '../contracts/payment-view.ts'
import { agreeAt, sandboxPageOf } from '../demo/sandbox-payer.ts'
import { note, paint, print, printJson } from '../output.ts'
import { eventType } from './webhook-arguments.ts'

type TriggerOptions = WithJson &
  PlaceOptions & { readonly amount?: number; readonly currency: string; readonly channel?: string }

type Script = {
  /** Its last two digits choose what the sandbox provider does, in any currency. */
  readonly amountMinor: bigint
  readonly steps: readonly Step[]
  /** Test accounts may have contracts that live for a second. */
  readonly expiresInSeconds?: number
}
type Step = 'update' | 'issue' | 'pay' | 'cancel'

const ARRIVES = 100_00n
const SCRIPTS: Readonly<Record<Exclude<EventType, PaymentEvent>, Script>> = {
  'contract.created': { amountMinor: ARRIVES, steps: [] },
  'contract.updated': { amountMinor: ARRIVES, steps: ['update'] },
  'contract.issued': { amountMinor: ARRIVES, steps: ['issue'] },
  'contract.paid': { amountMinor: ARRIVES, steps: ['issue', 'pay'] },
  'contract.completed': { amountMinor: ARRIVES, steps: ['issue', 'pay'] },
  'contract.cancelled': { amountMinor: ARRIVES, steps: ['issue', 'cancel'] },
  'contract.expired': { amountMinor: ARRIVES, steps: ['issue'], expiresInSeconds: 1 },
  'contract.returned': { amountMinor: 100_51n, steps: ['issue', 'pay'] },
  'contract.transfer_failed': { amountMinor: 100_21n, steps: ['issue', 'pay'] },
}

type PaymentScript = {
  readonly amountMinor: bigint
  /** What was paid is refunded as soon as it is there. */
  readonly refunds?: true
}
const PAYMENT_SCRIPTS: Readonly<Record<PaymentEvent, PaymentScript>> = {
  'contract.payment_failed': { amountMinor: 100_21n },
  'contract.payment_suspended': { amountMinor: 100_64n },
  'contract.payment_returned': { amountMinor: 100_64n },
  'contract.refunded': { amountMinor: ARRIVES, refunds: true },
}

const PATH = '/contracts/transfer'
const PAYMENT_PATH = '/contracts/payment'
const RECIPIENT = { name: 'Ana Cruz', wallet: '0012345678' }
const POLL_MS = 200
const HAPPENS_WITHIN_MS = 60_000

export function triggerCommand(): Command {
  const command = commandWithJson('trigger', 'make an event happen, with a test account and the sandbox provider', [
    'gateway trigger paid',
    'gateway trigger contract.returned --json',
    'gateway trigger payment_suspended',
    'gateway trigger completed --amount 25 --currency USD',
  ])
  const names = EVENT_TYPES.map((type) => type.replace('contract.', '')).join(', ')
  return withPlace(command)
    .addArgument(new Argument('<event>', names).argParser(eventType))
    .option('--amount <decimal>', 'in major units (default: what makes it happen)', decimalNumber)
    .option('--currency <code>', 'ISO 4217', currency, 'PHP')
    .option('--channel <id>', 'the route of the money (default: sandbox; gcash for payments, or maya)')
    .action(trigger)
}

async function trigger(type: EventType, options: TriggerOptions): Promise<void> {
  const place = placeOf(options)
  if (!place.apiKey.startsWith('gck_test_'))
    throw new CommandFailed('This is no test key, and trigger moves money. Give one that begins with gck_test_.')
  const tell = (event: EventBody) => {
    if (!options.json)
      print(`  ${event.type.padEnd(26)}  ${event.data.object.status.padEnd(10)}  ${paint('dim', event.id)}`)
  }
  const begun = (id: string) => {
    if (!options.json) print(`contract ${paint('bold', id)}`)
  }
  const { id, events } = isPaymentEvent(type)
    ? await triggerPayment(place, type, options, begun, tell)
    : await triggerTransfer(place, type, options, begun, tell)
  if (options.json) printJson({ contract_id: id, events: events.map((event) => ({ id: event.id, type: event.type })) })
}

type Tell = (event: EventBody) => void
type Triggered = { readonly id: string; readonly events: readonly EventBody[] }

async function triggerTransfer(
  place: Place,
  type: Exclude<EventType, PaymentEvent>,
  options: TriggerOptions,
  begun: (id: string) => void,
  tell: Tell,
): Promise<Triggered> {
  const { amountMinor, steps, expiresInSeconds } = SCRIPTS[type]
  const draft = {
    ...draftOf(type, amountMinor, options),
    channel: options.channel ?? 'sandbox',
    recipient: RECIPIENT,
    ...(expiresInSeconds === undefined ? {} : { expires_in: expiresInSeconds }),
  }
  const made = await call<{ contract: ContractBody }>(place, { method: 'POST', path: PATH, body: draft })
  const { id } = made.contract
  begun(id)
  for (const step of steps) await take(place, id, step)
  return { id, events: await eventsUntil(place, { id, noun: 'transfers' }, type, tell) }
}

/** A contract whose payer agrees at the sandbox provider at once. */
async function triggerPayment(
  place: Place,
  type: PaymentEvent,
  options: TriggerOptions,
  begun: (id: string) => void,
  tell: Tell,
): Promise<Triggered> {
  const { amountMinor, refunds } = PAYMENT_SCRIPTS[type]
  const channel = options.channel ?? 'gcash'
  if (channel !== 'gcash' && channel !== 'maya')
    throw new CommandFailed(`${type} is made through gcash or maya, where the sandbox provider plays the payer.`)
  const body = { ...draftOf(type, amountMinor, options), payment: { type: channel } }
  const made = await call<{ contract: PaymentBody }>(place, { method: 'POST', path: PAYMENT_PATH, body })
  const { id } = made.contract
  const contract = { id, noun: 'payments' } as const
  begun(id)
  await agreeAt(sandboxPageOf(made.contract))
  const before = refunds ? await eventsUntil(place, contract, 'contract.paid', tell) : []
  if (refunds) {
    const reason = { reason: 'gateway trigger' }
    await call(place, { method: 'POST', path: `${PAYMENT_PATH}/${id}/refunds`, body: reason })
  }
  return { id, events: [...before, ...(await eventsUntil(place, contract, type, tell, before.length))] }
}

const draftOf = (type: EventType, amountMinor: bigint, { amount, currency: code }: TriggerOptions) => ({
  amount: amount ?? majorNumber(amountMinor, code),
  currency: code,
  description: `gateway trigger ${type}`,
})

async function take(place: Place, id: string, step: Step): Promise<void> {
  const path = `${PATH}/${id}`
  if (step === 'update') await call(place, { method: 'PATCH', path, body: { description: 'gateway trigger, mended' } })
  else if (step === 'cancel') await call(place, { method: 'DELETE', path, body: { reason: 'gateway trigger' } })
  else await call(place, { method: 'PUT', path: `${path}/${step}` })
}

type Followed = { readonly id: string; readonly noun: 'transfers' | 'payments' }

/** The contract's events after the first `known` ones, each told as it comes, up to the wanted one. */
async function eventsUntil(
  place: Place,
  { id, noun }: Followed,
  wanted: EventType,
  tell: Tell,
  known = 0,
): Promise<readonly EventBody[]> {
  const events: EventBody[] = []
  const deadline = performance.now() + HAPPENS_WITHIN_MS
  let isSlow = false
  while (performance.now() < deadline) {
    const event = await eventOf(place, id, known + events.length + 1)
    if (event === null) {
      if (!isSlow && wanted !== 'contract.created') note('Waiting for the gateway and the channel …')
      isSlow = true
      await sleep(POLL_MS)
      continue
    }
    events.push(event)
    tell(event)
    if (event.type === wanted) return events
    if (ENDS.has(event.data.object.status)) throw new CommandFailed(otherwise(wanted, event, noun))
  }
  throw new CommandFailed(
    `${wanted} did not happen within ${HAPPENS_WITHIN_MS / 1000} s. See: gateway ${noun} get ${id}`,
  )
}

const ENDS = new Set(['cancelled', 'expired'])

function otherwise(wanted: EventType, { type, data }: EventBody, noun: Followed['noun']): string {
  if (wanted === 'contract.transfer_failed' && type === 'contract.cancelled')
    return `The transfer failed, and as this account gets its money back at once, that was told by ${type} alone. ${wanted} is for accounts whose refunds are by hand. See: gateway ${noun} get ${data.object.id}`
  return `${wanted} cannot happen any more: the contract is ${data.object.status}. Leave --amount and --channel out, or see docs/sandbox.md for the amounts.`
}

/** The contract's n-th event, or null while it has fewer. */
async function eventOf(place: Place, contractId: string, sequence: number): Promise<EventBody | null> {
  try {
    const { event } = await call<{ event: EventBody }>(place, {
      method: 'GET',
      path: `/events/${eventId(contractId, sequence)}`,
    })
    return event
  } catch (fault) {
    const code = fault instanceof CommandFailed ? (fault.details as ApiError | null)?.code : undefined
    if (code === 'event_not_found') return null
    throw fault
  }
}
