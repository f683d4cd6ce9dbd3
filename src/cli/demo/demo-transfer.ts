// The demo's first story: money goes out, from a draft to what its recipient gets.
import { eventId } from '../../domain/contract/ids.ts'
import { CommandFailed } from '../failures.ts'
import { call, type Call, get, patch, post, put } from '../client.ts'
import type { Place } from '../place.ts'
import { type Contract, printMessages } from '../contracts/contract-view.ts'
import { note, paint, print, printPairs } from '../output.ts'
import { printMany, stateText } from '../view.ts'
import type { Event, EventData, EventsData } from '../webhooks/events.ts'
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

const PATH = '/contracts/transfer'
const DRAFT = { amount: 1500, currency: CURRENCY, description: 'Demo: a bag of coffee' }
const MISSING = { channel: 'sandbox', recipient: { name: 'Ana Cruz', wallet: '0012345678' } }

/** Shows a transfer contract from draft to completed, with its events and its ledger rows; what --json prints of it. */
export async function showTransfer(stage: Stage) {
  const { place, step, show, inbox } = stage
  const before = await walletIn(place)
  const paid = await fromDraftToPaid(stage, before)
  const path = `${PATH}/${paid.id}`
  step('Until the undo time is over a cancel surely refunds. Then the channel is called, and answers.', `GET ${path}`)
  const contract = await untilContract(stage, path, paid, isCompleted)
  const received = await inbox.until(paid.id, 'contract.completed')
  if (!received.some(({ type }) => type === 'contract.completed')) note('The last event did not arrive in time.')
  const events = await eventsOf(place, paid.id)
  step('What a receiver of events gets, in order and without gaps.', 'GET /events')
  show(() =>
    printMany(events, [
      ['#', 'sequence'],
      ['event', 'type'],
      ['id', 'id'],
    ]),
  )
  const entries = await showLedger(stage, before, [paid.id])
  const { amount, receive_amount: receives } = paid.preview
  const charged = `${money(receives)} arrived, and ${money(amount)} was charged, as the preview said.`
  show(() => print(`\n${stateText('completed')}: ${charged}`))
  const wallets = { wallet_before: before, wallet_after: await walletIn(place) }
  return { contract, webhooks: webhooksJson(received), events: events.map(eventJson), entries, ...wallets }
}

async function fromDraftToPaid(stage: Stage, before: Wallet): Promise<Contract> {
  const { place, show } = stage
  const needs = 'A draft needs only an amount. Its preview names what it still lacks.'
  const draft = await change(stage, needs, post(PATH, DRAFT))
  show(() => printMessages(draft))
  follow(stage, draft.id)
  const path = `${PATH}/${draft.id}`
  const valid = 'Changed: a channel and a recipient. Now the preview is valid, and says what will be charged.'
  const { preview } = await change(stage, valid, patch(path, MISSING))
  show(() =>
    printPairs([
      ['payer pays', money(preview.amount)],
      ['of it the fee', money(preview.fees.total)],
      ['recipient gets', money(preview.receive_amount)],
    ]),
  )
  await change(stage, 'Issued: terms and fees are frozen.', put(`${path}/issue`))
  // The preview is sent along: a price that has changed would be refused, not charged.
  const body = { preview: { amount: preview.amount } }
  const held = 'Paid: the money leaves the balance and is held.'
  const paid = await change(stage, held, put(`${path}/pay`, body))
  const wallet = await walletIn(place)
  show(() =>
    printPairs([
      ['available', `${money(before.available)} -> ${money(wallet.available)}`],
      ['held', money(wallet.held)],
    ]),
  )
  return paid
}

async function change({ place, step, show }: Stage, title: string, what: Call): Promise<Contract> {
  const body = what.body === undefined ? '' : `  ${JSON.stringify(what.body)}`
  step(title, `${what.method} ${what.path}${body}`)
  const { contract } = await call<{ contract: Contract }>(place, what)
  const { id, status, version } = contract
  show(() => print(`   ${stateText(status)}${version === 1 ? `  ${paint('dim', id)}` : ''}`))
  return contract
}

function isCompleted({ status, transfer }: Contract): boolean {
  if (status !== 'completed' && status !== 'paid')
    throw new CommandFailed(`The contract ended ${status}: ${transfer.failure?.message ?? 'see its activities'}`)
  return status === 'completed'
}

/** The feed from the contract's first event on: an event's id is also the cursor after it. */
async function eventsOf(place: Place, contractId: string): Promise<Event[]> {
  const path = `/events/${eventId(contractId, 1)}`
  const { event } = await call<EventData>(place, get(path))
  const found = [event]
  let after: string | null = event.id
  while (after !== null && !found.some(({ type }) => type === 'contract.completed')) {
    const query = { after, limit: 100 }
    const page: EventsData = await call(place, get('/events', query))
    found.push(...page.events.filter(({ data }) => data.object.id === contractId))
    after = page.next
  }
  return found
}

const eventJson = ({ id, type, sequence, data }: Event) => ({
  id,
  type,
  sequence,
  data: { object: { id: data.object.id } },
})
