// gateway trigger: makes an event happen for real, with a test account: a contract is made and moved until the event is
// there. The amount chooses what the sandbox provider does (docs/sandbox.md), as a rail and as a payer.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventId } from '../../domain/contract/ids.ts'
import { majorNumber } from '../../domain/money/money.ts'
import { isPaymentEvent } from '../../domain/payment/sample.ts'
import type { EventType } from '../../domain/transfer/moves.ts'
import { currency, decimalNumber } from '../arguments.ts'
import { CommandFailed } from '../failures.ts'
import type { WireError } from '../../../sdk/src/index.ts'
import { call, type Call, get, post } from '../client.ts'
import { type Place, placeOf } from '../place.ts'
import { argument, command, option, PLACE, type Values, withDefault } from '../command.ts'
import type { Payment } from '../contracts/payment-view.ts'
import { agreeAt, sandboxPageOf } from '../demo/sandbox-payer.ts'
import { note, paint, print, printJson } from '../output.ts'
import type { ContractEvent } from '../../wire/events.ts'
import { eventType, SHORT_TYPES } from './webhook-arguments.ts'

type Step = 'update' | 'issue' | 'pay' | 'cancel' | 'agree' | 'refund'
type Script = {
  /** Its last two digits choose what the sandbox provider does, in any currency. */
  readonly amountMinor: bigint
  readonly steps: readonly Step[]
  /** Test accounts may have contracts that live for a second. */
  readonly expiresInSeconds?: number
}

const ARRIVES = 100_00n
/** What no script makes happen: why, and how it does. */
const ASKS_PEOPLE =
  'happens where a policy of the account asks for approvals: make one (gateway policies create --help).'
const SCRIPTS: Readonly<Record<EventType, Script | string>> = {
  'contract.created': { amountMinor: ARRIVES, steps: [] },
  'contract.updated': { amountMinor: ARRIVES, steps: ['update'] },
  'contract.issued': { amountMinor: ARRIVES, steps: ['issue'] },
  'contract.approval_requested': ASKS_PEOPLE,
  'contract.approved': ASKS_PEOPLE,
  'contract.rejected': ASKS_PEOPLE,
  'contract.verification_completed':
    'happens where a verification of a transfer ends: ask for one (gateway verifications create --help).',
  'contract.paid': { amountMinor: ARRIVES, steps: ['issue', 'pay'] },
  'contract.completed': { amountMinor: ARRIVES, steps: ['issue', 'pay'] },
  'contract.cancelled': { amountMinor: ARRIVES, steps: ['issue', 'cancel'] },
  'contract.expired': { amountMinor: ARRIVES, steps: ['issue'], expiresInSeconds: 1 },
  'contract.returned': { amountMinor: 100_51n, steps: ['issue', 'pay'] },
  'contract.transfer_failed': { amountMinor: 100_21n, steps: ['issue', 'pay'] },
  'contract.payment_failed': { amountMinor: 100_21n, steps: ['agree'] },
  'contract.payment_suspended': { amountMinor: 100_64n, steps: ['agree'] },
  'contract.payment_returned': { amountMinor: 100_64n, steps: ['agree'] },
  'contract.refunded': { amountMinor: ARRIVES, steps: ['agree', 'refund'] },
}

const PATHS = { transfers: '/contracts/transfer', payments: '/contracts/payment' } as const
const RECIPIENT = { name: 'Ana Cruz', wallet: '0012345678' }
const POLL_MS = 200
const HAPPENS_WITHIN_MS = 60_000

const OPTIONS = {
  ...PLACE,
  amount: option('<decimal>', 'in major units (default: what makes it happen)', decimalNumber),
  currency: withDefault(option('<code>', 'ISO 4217', currency), 'PHP'),
  channel: option(
    '<id>',
    `the route of the money (default: sandbox; ${EXAMPLES.eWallet} for payments, or ${EXAMPLES.otherEWallet})`,
  ),
}

export const trigger = command('trigger', 'make an event happen, with a test account and the sandbox provider', {
  examples: [
    'gateway trigger paid',
    'gateway trigger contract.returned --json',
    'gateway trigger payment_suspended',
    'gateway trigger completed --amount 25 --currency USD',
  ],
  arguments: [argument('<event>', SHORT_TYPES, eventType)],
  options: OPTIONS,
  run: async ({ json, ...options }, type) => {
    const place = placeOf(options)
    if (!place.apiKey.startsWith('gck_test_'))
      throw new CommandFailed('This is no test key, and trigger moves money. Give one that begins with gck_test_.')
    const script = SCRIPTS[type]
    if (typeof script === 'string') throw new CommandFailed(`${type} ${script}`)
    const noun = isPaymentEvent(type) ? 'payments' : 'transfers'
    const body = draftOf(type, script, options)
    const { contract } = await call<{ contract: Payment }>(place, post(PATHS[noun], body))
    const say = json ? () => undefined : print
    say(`contract ${paint('bold', contract.id)}`)
    const course: Course = { place, noun, contract, path: `${PATHS[noun]}/${contract.id}`, events: [], say }
    for (const step of script.steps) await take(course, step)
    await follow(course, type)
    if (json)
      printJson({ contract_id: contract.id, events: course.events.map(({ id, type: each }) => ({ id, type: each })) })
  },
})

/** A contract on its way, and the events that it has had. */
type Course = {
  readonly place: Place
  readonly noun: keyof typeof PATHS
  /** Of a transfer, too: only what both kinds have, and what its payer does next. */
  readonly contract: Pick<Payment, 'id' | 'next_action'>
  readonly path: string
  readonly events: ContractEvent[]
  readonly say: (line: string) => void
}

function draftOf(
  type: EventType,
  { amountMinor, expiresInSeconds }: Script,
  { amount, currency: code, channel }: Omit<Values<typeof OPTIONS>, keyof typeof PLACE>,
) {
  const draft = {
    amount: amount ?? majorNumber(amountMinor, code),
    currency: code,
    description: `gateway trigger ${type}`,
  }
  if (!isPaymentEvent(type))
    return { ...draft, channel: channel ?? 'sandbox', recipient: RECIPIENT, expires_in: expiresInSeconds }
  if (channel !== undefined && channel !== EXAMPLES.eWallet && channel !== EXAMPLES.otherEWallet)
    throw new CommandFailed(
      `${type} is made through ${EXAMPLES.eWallet} or ${EXAMPLES.otherEWallet}, where the sandbox provider plays the payer.`,
    )
  return { ...draft, payment: { type: channel ?? EXAMPLES.eWallet } }
}

async function take(course: Course, step: Step): Promise<void> {
  const { place, path, contract } = course
  const send = (method: Call['method'], to: string, body?: object) => call(place, { method, path: to, body })
  if (step === 'update') await send('PATCH', path, { description: 'gateway trigger, changed' })
  else if (step === 'cancel') await send('DELETE', path, { reason: 'gateway trigger' })
  else if (step === 'agree') await agreeAt(sandboxPageOf(contract))
  else if (step === 'refund') {
    // There is nothing to give back before it is paid.
    await follow(course, 'contract.paid')
    await send('POST', `${path}/refunds`, { reason: 'gateway trigger' })
  } else await send('PUT', `${path}/${step}`)
}

/** Waits for the contract's next events and says each, up to the wanted one. */
async function follow({ place, noun, contract: { id }, events, say }: Course, wanted: EventType): Promise<void> {
  const deadline = performance.now() + HAPPENS_WITHIN_MS
  let isSlow = false
  while (performance.now() < deadline) {
    const event = await eventOf(place, id, events.length + 1)
    if (event === null) {
      if (!isSlow && wanted !== 'contract.created') note('Waiting for the gateway and the channel …')
      isSlow = true
      await sleep(POLL_MS)
      continue
    }
    events.push(event)
    say(`  ${event.type.padEnd(26)}  ${event.data.object.status.padEnd(10)}  ${paint('dim', event.id)}`)
    if (event.type === wanted) return
    if (ENDS.has(event.data.object.status)) throw new CommandFailed(otherwise(wanted, event, noun))
  }
  throw new CommandFailed(
    `${wanted} did not happen within ${HAPPENS_WITHIN_MS / 1000} s. See: gateway ${noun} get ${id}`,
  )
}

const ENDS = new Set<string>(['cancelled', 'expired'])

function otherwise(wanted: EventType, { type, data }: ContractEvent, noun: Course['noun']): string {
  if (wanted === 'contract.transfer_failed' && type === 'contract.cancelled')
    return `The transfer failed, and as this account gets its money back at once, ${type} is the only event of it. ${wanted} is for accounts whose refunds are by hand. See: gateway ${noun} get ${data.object.id}`
  return `${wanted} cannot happen any more: the contract is ${data.object.status}. Leave --amount and --channel out, or see docs/sandbox.md for the amounts.`
}

/** The contract's n-th event, or null while it has fewer. */
async function eventOf(place: Place, contractId: string, sequence: number): Promise<ContractEvent | null> {
  const path = `/events/${eventId(contractId, sequence)}`
  try {
    return (await call<{ readonly event: ContractEvent }>(place, get(path))).event
  } catch (fault) {
    const code = fault instanceof CommandFailed ? (fault.details as WireError | null)?.code : undefined
    if (code === 'event_not_found') return null
    throw fault
  }
}
