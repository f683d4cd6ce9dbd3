// How the demo tells its stories: numbered chapters, what was heard meanwhile, and what is in the wallet and the ledger.
// Knows no story.
import { activityLine, type ContractBody, moneyText } from '../contracts/contract-view.ts'
import { CommandFailed } from '../arguments.ts'
import { call, type Place } from '../client.ts'
import type { Heard, Hearing } from './demo-receiver.ts'
import { paint, print, printTable } from '../output.ts'
import { setTimeout as sleep } from 'node:timers/promises'

/** Tells a story line by line, or keeps quiet where only the result is wanted. */
export type Teller = {
  readonly chapter: (title: string, request: string) => void
  readonly show: (tell: () => void) => void
}

/** What a story needs: a gateway, somebody who tells it, and somebody who hears its webhooks. */
export type Stage = { readonly place: Place; readonly teller: Teller; readonly hearing: Hearing }

export type Wallet = {
  readonly id: string
  readonly currency: string
  readonly available: number
  readonly held: number
  readonly in_transit: number
  readonly pending: number
}
export type Entry = {
  readonly contract_id: string | null
  readonly debit: string
  readonly credit: string
  readonly amount: number
  readonly available_after: number
}

export const CURRENCY = 'PHP'
const POLL_MS = 300
const WITHIN_MS = 60_000

export const QUIET: Teller = { chapter: () => undefined, show: () => undefined }

export function openTeller(): Teller {
  let number = 0
  return {
    chapter: (title, request) => {
      number += 1
      print(`\n${paint('bold', `${number}. ${title}`)}\n   ${paint('cyan', request)}`)
    },
    show: (tell) => tell(),
  }
}

/** From now on the webhooks of this contract are told as they come. */
export function followed({ hearing, teller }: Stage, contractId: string): void {
  hearing.follow(contractId, (heard) => teller.show(() => print(heardLine(heard))))
}

function heardLine({ type, isGenuine, afterMs }: Heard): string {
  const proof = isGenuine ? paint('green', 'signature verified') : paint('red', 'signature wrong')
  const how = isGenuine === null ? 'event  ' : 'webhook'
  return `   ${paint('magenta', how)}  ${type.padEnd(18)}  ${afterMs} ms after the change${isGenuine === null ? '' : `, ${proof}`}`
}

export const heardBody = ({ id, type, sequence, isGenuine, afterMs }: Heard) => ({
  id,
  type,
  sequence,
  verified: isGenuine,
  after_ms: afterMs,
})

type Told = { readonly activities: ContractBody['activities'] }

/** Tells the lines of the contract's history that come after the first `shown`, until it is as wanted. */
export async function untilContract<Contract extends Told>(
  { teller }: Stage,
  read: () => Promise<Contract>,
  shown: number,
  isThere: (contract: Contract) => boolean,
  mend: string,
): Promise<Contract> {
  const deadline = performance.now() + WITHIN_MS
  let told = shown
  while (performance.now() < deadline) {
    const contract = await read()
    const fresh = contract.activities.slice(told)
    teller.show(() => fresh.forEach((activity) => print(`   ${activityLine(activity)}`)))
    told = contract.activities.length
    if (isThere(contract)) return contract
    await sleep(POLL_MS)
  }
  throw new CommandFailed(`That took over ${WITHIN_MS / 1000} s. Is the sandbox provider there? ${mend}`)
}

export async function walletIn(place: Place): Promise<Wallet> {
  const { wallets } = await call<{ wallets: Wallet[] }>(place, { method: 'GET', path: '/wallets' })
  const wallet = wallets.find((each) => each.currency === CURRENCY)
  if (!wallet) throw new CommandFailed(`The account has no wallet in ${CURRENCY}, which the demo pays from.`)
  return wallet
}

const LEDGER = 'The ledger: every row takes from one account what it gives to another.'

/** Tells the ledger rows of the contracts, in their order. */
export async function tellLedger(
  { place, teller }: Stage,
  { id }: Wallet,
  contractIds: readonly (string | null)[],
): Promise<Entry[]> {
  const path = `/wallets/${id}/entries`
  const { entries } = await call<{ entries: Entry[] }>(place, { method: 'GET', path, query: { limit: 100 } })
  const ours = entries.filter((entry) => contractIds.includes(entry.contract_id)).toReversed()
  teller.chapter(LEDGER, `GET ${path}`)
  teller.show(() => printTable(['FROM', 'TO', 'AMOUNT', 'AVAILABLE AFTER'], ours.map(entryRow)))
  return ours
}

const entryRow = (entry: Entry) => [
  entry.debit,
  entry.credit,
  moneyText(entry.amount, CURRENCY),
  moneyText(entry.available_after, CURRENCY),
]
