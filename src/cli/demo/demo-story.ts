// How the demo presents its stories: numbered steps, events as they arrive, and what is in the wallet and the ledger. Knows
// no story.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Static } from 'typebox'
import type { EntriesReply, WalletsReply } from '../../wire/wallets/wallets.ts'
import { CommandFailed } from '../failures.ts'
import { call, get } from '../client.ts'
import type { Place } from '../place.ts'
import { type Activity, activityLine } from '../contracts/contract-view.ts'
import { paint, print } from '../output.ts'
import { moneyText, printMany, type Shows } from '../view.ts'
import type { Inbox, Received } from './demo-receiver.ts'

/** What a story needs: a gateway, the events that arrive, and somewhere to print. */
export type Stage = {
  readonly place: Place
  readonly inbox: Inbox
  readonly step: (title: string, request: string) => void
  /** Runs what prints; with --json it does not. */
  readonly show: (draw: () => void) => void
}

export type Wallet = Static<typeof WalletsReply>['data']['wallets'][number]
export type Entry = Static<typeof EntriesReply>['data']['entries'][number]

export const CURRENCY = 'PHP'
const POLL_MS = 300
const WITHIN_MS = 60_000

export const money = (major: number) => moneyText(major, CURRENCY)

export function openStage(place: Place, inbox: Inbox, isQuiet: boolean): Stage {
  let number = 0
  const step = (title: string, request: string) => {
    number += 1
    print(`\n${paint('bold', `${number}. ${title}`)}\n   ${paint('cyan', request)}`)
  }
  return isQuiet
    ? { place, inbox, step: () => undefined, show: () => undefined }
    : { place, inbox, step, show: (draw) => draw() }
}

/** Prints the events of this contract from now on as they arrive. */
export function follow({ inbox, show }: Stage, contractId: string): void {
  inbox.follow(contractId, (received) => show(() => print(receivedLine(received))))
}

function receivedLine({ type, isGenuine, afterMs }: Received): string {
  const way = isGenuine === null ? 'event  ' : 'webhook'
  const line = `   ${paint('magenta', way)}  ${type.padEnd(18)}  ${afterMs} ms after the change`
  if (isGenuine === null) return line
  return `${line}, ${isGenuine ? paint('green', 'signature verified') : paint('red', 'signature wrong')}`
}

export const webhooksJson = (received: readonly Received[]) =>
  received.map(({ id, type, sequence, isGenuine, afterMs }) => ({
    id,
    type,
    sequence,
    verified: isGenuine,
    after_ms: afterMs,
  }))

type WithActivities = { readonly activities: readonly Activity[] }

/** Reads the contract again until it is as wanted, and prints what is new in its history. */
export async function untilContract<Contract extends WithActivities>(
  { place, show }: Stage,
  path: string,
  before: WithActivities,
  isThere: (contract: Contract) => boolean,
): Promise<Contract> {
  const deadline = performance.now() + WITHIN_MS
  let shown = before.activities.length
  while (performance.now() < deadline) {
    const { contract } = await call<{ contract: Contract }>(place, get(path))
    for (const activity of contract.activities.slice(shown)) show(() => print(`   ${activityLine(activity)}`))
    shown = contract.activities.length
    if (isThere(contract)) return contract
    await sleep(POLL_MS)
  }
  const [, , kind, id] = path.split('/')
  throw new CommandFailed(
    `That took over ${WITHIN_MS / 1000} s. Is the sandbox provider there? See: gateway ${kind}s get ${id}`,
  )
}

export async function walletIn(place: Place): Promise<Wallet> {
  const { wallets } = await call<{ wallets: Wallet[] }>(place, get('/wallets'))
  const wallet = wallets.find((each) => each.currency === CURRENCY)
  if (!wallet) throw new CommandFailed(`The account has no wallet in ${CURRENCY}, which the demo pays from.`)
  return wallet
}

const ENTRIES: Shows<Entry> = [
  ['from', 'debit'],
  ['to', 'credit'],
  ['amount', 'amount'],
  ['available after', ({ available_after: after }) => money(after)],
]

/** Shows the ledger rows of the contracts, in their order. */
export async function showLedger(
  { place, step, show }: Stage,
  { id }: Wallet,
  contractIds: readonly (string | null)[],
): Promise<Entry[]> {
  const path = `/wallets/${id}/entries`
  const { entries } = await call<{ entries: Entry[] }>(place, get(path, { limit: 100 }))
  const ours = entries.filter((entry) => contractIds.includes(entry.contract_id)).toReversed()
  step('The ledger: every row takes from one account what it gives to another.', `GET ${path}`)
  show(() => printMany(ours, ENTRIES))
  return ours
}
