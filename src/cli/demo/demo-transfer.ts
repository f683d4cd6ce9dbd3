// The demo's first story: money goes out, from a draft to what its recipient gets.
import { eventId } from '../../domain/contract/ids.ts'
import { CommandFailed } from '../arguments.ts'
import { type Call, call, type Place } from '../client.ts'
import { type ContractBody, moneyText, printMessages, statusText } from '../contracts/contract-view.ts'
import {
  CURRENCY,
  type Entry,
  followed,
  heardBody,
  type Stage,
  tellLedger,
  untilContract,
  type Wallet,
  walletIn,
} from './demo-story.ts'
import { note, paint, print, printPairs, printTable } from '../output.ts'

type Event = {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly data: { readonly object: { readonly id: string } }
}

export type TransferStory = {
  readonly contract: ContractBody
  readonly webhooks: readonly ReturnType<typeof heardBody>[]
  readonly events: readonly Event[]
  readonly entries: readonly Entry[]
  readonly wallet_before: Wallet
  readonly wallet_after: Wallet
}

const PATH = '/contracts/transfer'
const DRAFT = { amount: 1500, currency: CURRENCY, description: 'Demo: a bag of coffee' }
const MEND = { channel: 'sandbox', recipient: { name: 'Ana Cruz', wallet: '0012345678' } }

/** Tells a transfer contract from draft to completed, with its events and its ledger rows. */
export async function tellTransfer(stage: Stage): Promise<TransferStory> {
  const { place, teller, hearing } = stage
  const before = await walletIn(place)
  const paid = await fromDraftToPaid(stage, before)
  const toWait = 'Until the undo time is over a cancel surely refunds. Then the channel is called, and answers.'
  teller.chapter(toWait, `GET ${PATH}/${paid.id}`)
  const contract = await untilCompleted(stage, paid)
  const webhooks = await hearing.until(paid.id, 'contract.completed')
  if (!webhooks.some(({ type }) => type === 'contract.completed')) note('The last event was not heard in time.')
  const events = await eventsOf(place, contract)
  teller.chapter('What a receiver of events hears, in order and without gaps.', 'GET /events')
  const rows = events.map((event) => [event.sequence, event.type, event.id])
  teller.show(() => printTable(['#', 'EVENT', 'ID'], rows))
  const entries = await tellLedger(stage, before, [paid.id])
  const { amount, receive_amount: received } = paid.preview
  const charged = `${moneyText(received, CURRENCY)} arrived, and ${moneyText(amount, CURRENCY)} was charged, as the preview said.`
  teller.show(() => print(`\n${statusText('completed')}: ${charged}`))
  const wallets = { wallet_before: before, wallet_after: await walletIn(place) }
  return { contract, webhooks: webhooks.map(heardBody), events, entries, ...wallets }
}

async function fromDraftToPaid(stage: Stage, before: Wallet): Promise<ContractBody> {
  const { place, teller } = stage
  const needs = 'A draft needs only an amount. Its preview names what it still lacks.'
  const draft = await step(stage, needs, { method: 'POST', path: PATH, body: DRAFT })
  teller.show(() => printMessages(draft))
  followed(stage, draft.id)
  const path = `${PATH}/${draft.id}`
  const valid = 'Mended: a channel and a recipient. Now the preview is valid, and says what will be charged.'
  const mended = await step(stage, valid, { method: 'PATCH', path, body: MEND })
  teller.show(() => tellPrice(mended))
  await step(stage, 'Issued: terms and fees are frozen.', { method: 'PUT', path: `${path}/issue` })
  // The preview is sent along: a price that has changed would be refused, not charged.
  const body = { preview: { amount: mended.preview.amount } }
  const held = 'Paid: the money leaves the balance and is held.'
  const paid = await step(stage, held, { method: 'PUT', path: `${path}/pay`, body })
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

async function step({ place, teller }: Stage, title: string, what: Call): Promise<ContractBody> {
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

function untilCompleted(stage: Stage, { id, activities }: ContractBody): Promise<ContractBody> {
  const read = async () =>
    (await call<{ contract: ContractBody }>(stage.place, { method: 'GET', path: `${PATH}/${id}` })).contract
  const isThere = ({ status, transfer }: ContractBody) => {
    if (status !== 'completed' && status !== 'paid')
      throw new CommandFailed(`The contract ended ${status}: ${transfer.failure?.message ?? 'see its activities'}`)
    return status === 'completed'
  }
  return untilContract(stage, read, activities.length, isThere, `See: gateway transfers get ${id}`)
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
