// gateway demo: one contract from draft to completed on a running gateway, told as it goes, with its webhooks as they
// arrive, and the events and the ledger afterwards.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { eventId } from '../domain/ids.ts'
import { CommandFailed, commandWithJson, type WithJson } from './arguments.ts'
import { type Call, call, type Place, type PlaceOptions, placeOf, withPlace } from './client.ts'
import { type Heard, type Hearing, openHearing } from './demo-receiver.ts'
import { activityLine, type ContractBody, moneyText, printMessages, statusText } from './contract-view.ts'
import { note, paint, print, printJson, printPairs, printTable } from './output.ts'

type Wallet = {
  readonly id: string
  readonly currency: string
  readonly available: number
  readonly held: number
  readonly in_transit: number
}
type Event = {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly data: { readonly object: { readonly id: string } }
}
type Entry = {
  readonly contract_id: string | null
  readonly debit: string
  readonly credit: string
  readonly amount: number
  readonly available_after: number
}

const CURRENCY = 'PHP'
const PATH = '/contracts/transfer'
const POLL_MS = 300
const COMPLETED_WITHIN_MS = 60_000
const INTERRUPTED = 130
const DRAFT = { amount: 1500, currency: CURRENCY, description: 'Demo: a bag of coffee' }
const MEND = { channel: 'sandbox', recipient: { name: 'Ana Cruz', wallet: '0012345678' } }

export function demoCommand(): Command {
  return withPlace(
    commandWithJson('demo', 'show a contract from draft to completed on a running gateway', [
      'gateway demo',
      'gateway demo --json',
    ]),
  ).action(demo)
}

/** Tells a story line by line, or keeps quiet where only the result is wanted. */
type Teller = { readonly chapter: (title: string, request: string) => void; readonly show: (tell: () => void) => void }

async function demo(options: WithJson & PlaceOptions): Promise<void> {
  const place = placeOf(options)
  const teller = options.json ? { chapter: () => undefined, show: () => undefined } : openTeller()
  const hearing = await openHearing(place)
  // Nothing is left behind: an endpoint whose receiver is gone would be tried for days.
  const leave = () => void hearing.end().finally(() => process.exit(INTERRUPTED))
  process.once('SIGINT', leave)
  try {
    await tellAll(options, place, teller, hearing)
  } finally {
    process.off('SIGINT', leave)
    await hearing.end()
  }
}

async function tellAll({ json }: WithJson, place: Place, teller: Teller, hearing: Hearing): Promise<void> {
  tellWay(teller, hearing)
  const before = await walletIn(place)
  const paid = await fromDraftToPaid(place, teller, before, hearing)
  const toWait = 'Until the undo time is over a cancel surely refunds. Then the channel is called, and answers.'
  teller.chapter(toWait, `GET ${PATH}/${paid.id}`)
  const completed = await untilCompleted(place, paid.id, teller)
  const webhooks = await hearing.until(paid.id, 'contract.completed')
  if (!webhooks.some(({ type }) => type === 'contract.completed')) note('The last event was not heard in time.')
  const events = await eventsOf(place, completed)
  teller.chapter('What a receiver of events hears, in order and without gaps.', 'GET /events')
  const rows = events.map((event) => [event.sequence, event.type, event.id])
  teller.show(() => printTable(['#', 'EVENT', 'ID'], rows))
  const entries = await entriesOf(place, before, paid.id)
  const ledger = 'The ledger: every row takes from one account what it gives to another.'
  teller.chapter(ledger, `GET /wallets/${before.id}/entries`)
  teller.show(() => printTable(['FROM', 'TO', 'AMOUNT', 'AVAILABLE AFTER'], entries.map(entryRow)))
  const after = await walletIn(place)
  if (json) {
    const wallets = { wallet_before: before, wallet_after: after }
    return printJson({ contract: completed, webhooks: webhooks.map(heardBody), events, entries, ...wallets })
  }
  const { amount, receive_amount: received } = paid.preview
  const charged = `${moneyText(received, CURRENCY)} arrived, and ${moneyText(amount, CURRENCY)} was charged, as the preview said.`
  print(`\n${statusText('completed')}: ${charged}`)
}

function tellWay(teller: Teller, { way }: Hearing): void {
  if ('because' in way) {
    teller.chapter('Events are heard over the event stream, for an endpoint was refused.', 'GET /events/stream')
    return teller.show(() => print(`   ${way.because}`))
  }
  const { id, url } = way.endpoint
  const body = JSON.stringify({ url, events: ['*'] })
  teller.chapter('A receiver of the demo, on this machine, hears of all events.', `POST /webhook-endpoints  ${body}`)
  teller.show(() => print(`   ${paint('dim', id)}`))
}

function heardLine({ type, isGenuine, afterMs }: Heard): string {
  const proof = isGenuine ? paint('green', 'signature verified') : paint('red', 'signature wrong')
  const how = isGenuine === null ? 'event  ' : 'webhook'
  return `   ${paint('magenta', how)}  ${type.padEnd(18)}  ${afterMs} ms after the change${isGenuine === null ? '' : `, ${proof}`}`
}

const heardBody = ({ id, type, sequence, isGenuine, afterMs }: Heard) => ({
  id,
  type,
  sequence,
  verified: isGenuine,
  after_ms: afterMs,
})

async function fromDraftToPaid(place: Place, teller: Teller, before: Wallet, hearing: Hearing): Promise<ContractBody> {
  const needs = 'A draft needs only an amount. Its preview names what it still lacks.'
  const draft = await step(place, teller, needs, { method: 'POST', path: PATH, body: DRAFT })
  teller.show(() => printMessages(draft))
  hearing.follow(draft.id, (heard) => teller.show(() => print(heardLine(heard))))
  const path = `${PATH}/${draft.id}`
  const valid = 'Mended: a channel and a recipient. Now the preview is valid, and says what will be charged.'
  const mended = await step(place, teller, valid, { method: 'PATCH', path, body: MEND })
  teller.show(() => tellPrice(mended))
  await step(place, teller, 'Issued: terms and fees are frozen.', { method: 'PUT', path: `${path}/issue` })
  // The preview is sent along: a price that has changed would be refused, not charged.
  const body = { preview: { amount: mended.preview.amount } }
  const held = 'Paid: the money leaves the balance and is held.'
  const paid = await step(place, teller, held, { method: 'PUT', path: `${path}/pay`, body })
  const wallet = await walletIn(place)
  const available = `${moneyText(before.available, CURRENCY)} -> ${moneyText(wallet.available, CURRENCY)}`
  teller.show(() => {
    printPairs([
      ['available', available],
      ['held', moneyText(wallet.held, CURRENCY)],
    ])
  })
  return paid
}

function openTeller(): Teller {
  let number = 0
  return {
    chapter: (title, request) => {
      number += 1
      print(`\n${paint('bold', `${number}. ${title}`)}\n   ${paint('cyan', request)}`)
    },
    show: (tell) => tell(),
  }
}

async function step(place: Place, teller: Teller, title: string, what: Call): Promise<ContractBody> {
  const body = what.body === undefined ? '' : `  ${JSON.stringify(what.body)}`
  teller.chapter(title, `${what.method} ${what.path}${body}`)
  const { contract } = await call<{ contract: ContractBody }>(place, what)
  teller.show(() =>
    print(`   ${statusText(contract.status)}${contract.version === 1 ? `  ${paint('dim', contract.id)}` : ''}`),
  )
  return contract
}

function tellPrice({ preview, currency }: ContractBody): void {
  printPairs([
    ['payer pays', moneyText(preview.amount, currency)],
    ['of it the fee', moneyText(preview.fees.total, currency)],
    ['recipient gets', moneyText(preview.receive_amount, currency)],
  ])
}

async function walletIn(place: Place): Promise<Wallet> {
  const { wallets } = await call<{ wallets: Wallet[] }>(place, { method: 'GET', path: '/wallets' })
  const wallet = wallets.find((each) => each.currency === CURRENCY)
  if (!wallet) throw new CommandFailed(`The account has no wallet in ${CURRENCY}, which the demo pays from.`)
  return wallet
}

async function untilCompleted(place: Place, id: string, teller: Teller): Promise<ContractBody> {
  const deadline = performance.now() + COMPLETED_WITHIN_MS
  let shown = -1
  while (performance.now() < deadline) {
    const { contract } = await call<{ contract: ContractBody }>(place, {
      method: 'GET',
      path: `/contracts/transfer/${id}`,
    })
    // Shown are only the lines that came after the payment.
    if (shown < 0) shown = contract.activities.findIndex((activity) => activity.type === 'paid') + 1
    const fresh = contract.activities.slice(shown)
    teller.show(() => fresh.forEach((activity) => print(`   ${activityLine(activity)}`)))
    shown = contract.activities.length
    if (contract.status === 'completed') return contract
    if (contract.status !== 'paid')
      throw new CommandFailed(
        `The contract ended ${contract.status}: ${contract.transfer.failure?.message ?? 'see its activities'}`,
      )
    await sleep(POLL_MS)
  }
  throw new CommandFailed(
    `The contract ${id} is not completed after ${COMPLETED_WITHIN_MS / 1000} s. Is the sandbox provider there? See: gateway transfers get ${id}`,
  )
}

/** The feed from the contract's first event on: an event's id is also the cursor after it. */
async function eventsOf(place: Place, contract: ContractBody): Promise<Event[]> {
  const created: Event = {
    id: eventId(contract.id, 1),
    type: 'contract.created',
    sequence: 1,
    data: { object: { id: contract.id } },
  }
  const found = [created]
  let after: string | null = created.id
  while (after !== null && !found.some((event) => event.type === 'contract.completed')) {
    const page: { events: Event[]; next: string | null } = await call(place, {
      method: 'GET',
      path: '/events',
      query: { after, limit: 100 },
    })
    found.push(...page.events.filter((event) => event.data.object.id === contract.id))
    after = page.next
  }
  return found.map(({ id, type, sequence }) => ({ id, type, sequence, data: { object: { id: contract.id } } }))
}

async function entriesOf(place: Place, wallet: Wallet, contractId: string): Promise<Entry[]> {
  const newest: Call = { method: 'GET', path: `/wallets/${wallet.id}/entries`, query: { limit: 100 } }
  const { entries } = await call<{ entries: Entry[] }>(place, newest)
  return entries.filter((entry) => entry.contract_id === contractId).toReversed()
}

const entryRow = (entry: Entry) => [
  entry.debit,
  entry.credit,
  moneyText(entry.amount, CURRENCY),
  moneyText(entry.available_after, CURRENCY),
]
