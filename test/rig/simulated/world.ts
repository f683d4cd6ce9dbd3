// The world of one simulated story: the books in memory, two gateways on them, one provider, callers, and one clock for all.
import { creditMemory } from './wallet-rail.ts'
import { walletConnector } from '../../../src/connectors/wallet/wallet.ts'
import type { Connector } from '../../../src/connectors/connector.ts'
import { contractUuid } from '../../../src/domain/contract/ids.ts'
import { HELD } from '../../../src/engine/batch.ts'
import type { AnyResult, CommandRequest, Execute } from '../../../src/engine/command-request.ts'
import type { AccountHead } from '../../../src/store/accounts/accounts.ts'
import { type BegunBatch, type MemoryBooks, openMemoryBooks } from '../memory-store/memory-books.ts'
import { emptyTables, type Tables } from '../memory-store/tables.ts'
import { PLAIN_WALLET } from '../wallet-settings.ts'
import { diceOf } from '../dice.ts'
import { BOOK, RAILS } from './channels.ts'
import { connectorOf, newProvider, type Provider } from './provider.ts'

type Waiting = { readonly request: CommandRequest; readonly resolve: (result: AnyResult) => void }

/** One life of a gateway: a crash ends it, and whatever waits for it waits for ever. */
export type Life = {
  isOver: boolean
  readonly queue: Waiting[]
  begun: { readonly batch: BegunBatch; readonly waiting: readonly Waiting[] } | null
  readonly connectors: ReadonlyMap<string, Connector>
  readonly execute: Execute
  /** Contracts whose job it works on. */
  readonly working: Set<string>
}

/** What a caller asks for, until it is answered: again and again under the same key. */
export type Ask = {
  readonly make: () => CommandRequest
  /** The contracts that were asked for under the key: at most one of them is made. */
  readonly ids: string[]
  life: Life | null
  answer: AnyResult | null
}

export type World = {
  nowMs: number
  readonly books: MemoryBooks
  readonly tables: Tables
  readonly provider: Provider
  readonly lives: Life[]
  readonly asks: Ask[]
  /** Accounts with their wallets and keys. */
  readonly owners: readonly Owner[]
  readonly newId: (owner: Owner, keyDigest: string | null) => string
  /** Called with each batch that is committed. */
  onCommitted: (batch: BegunBatch) => Promise<void> | void
}

export type Owner = {
  readonly lane: number
  readonly accountId: string
  readonly keyId: string
  readonly walletIds: readonly string[]
}

export const BEGAN_AT = 1_800_000_000_000

/** Ids are of the seed, so that a story is the same each time. */
export function openWorld(seed: number, owners: readonly Owner[], tables = seeded(owners)): World {
  const dice = diceOf(seed).part('ids')
  const hex = () => Array.from({ length: 17 }, () => dice.whole(0, 15).toString(16)).join('')
  const world: World = {
    nowMs: BEGAN_AT,
    books: openMemoryBooks(tables, BOOK),
    tables,
    provider: newProvider(),
    lives: [],
    asks: [],
    owners,
    newId: (owner, keyDigest) => contractUuid(owner, world.nowMs, hex(), keyDigest),
    onCommitted: () => undefined,
  }
  world.lives.push(newLife(world), newLife(world))
  return world
}

function newLife(world: World): Life {
  const queue: Waiting[] = []
  const connectors = new Map<string, Connector>()
  const execute = ((request: CommandRequest) =>
    new Promise<AnyResult>((resolve) => queue.push({ request, resolve }))) as Execute
  const life: Life = { isOver: false, queue, begun: null, connectors, execute, working: new Set() }
  const post: Parameters<typeof connectorOf>[1] = (call) => world.provider.calls.push(call)
  for (const id of Object.keys(RAILS))
    connectors.set(
      id,
      connectorOf(id, post, () => world.nowMs),
    )
  connectors.set('wallet', walletConnector(creditMemory(world.tables, execute)))
  return life
}

/** Lets everything that can go on go on, as far as the next message or batch. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Begins a batch of what waits: it is decided, and holds its accounts. */
export function beginBatch(world: World, life: Life, most: number): boolean {
  if (life.begun !== null || life.queue.length === 0) return false
  const waiting = life.queue.splice(0, most)
  const batch = world.books.begin(
    waiting.map(({ request }) => request),
    world.nowMs,
  )
  life.begun = { batch, waiting }
  return true
}

/** Commits what was begun, and answers; what another gateway holds is tried again later. */
export async function commitBatch(world: World, life: Life, isAnswered = true): Promise<boolean> {
  if (life.begun === null) return false
  const { batch, waiting } = life.begun
  life.begun = null
  batch.commit()
  await world.onCommitted(batch)
  waiting.forEach((each, i) => {
    const answer = batch.answers[i]
    if (answer === HELD) life.queue.push(each)
    else if (isAnswered && answer) each.resolve(answer)
  })
  await settled()
  return true
}

/** Ends a life: before the commit of its batch, or after it and before anybody has heard of it. Another one begins. */
export async function crash(world: World, life: Life, when: 'before commit' | 'after commit'): Promise<void> {
  if (when === 'after commit') await commitBatch(world, life, false)
  else life.begun?.batch.abandon()
  life.begun = null
  life.isOver = true
  life.queue.length = 0
  world.lives[world.lives.indexOf(life)] = newLife(world)
}

/** Has a gateway be asked. */
export function askLife(life: Life, ask: Ask): void {
  ask.life = life
  void life.execute(ask.make()).then((answer) => {
    ask.answer = answer
  })
}

const ACCOUNT = {
  position: 0,
  epoch: 1,
  livemode: false,
  returnsAtOnce: true,
  transferExpirySeconds: null,
  paymentExpirySeconds: null,
  policiesAt: null,
  policiesLookAt: null,
  timeZone: 'UTC',
}
/** The first is refunded at once; the second has failures tried again, and elsewhere; the third decides itself. */
export const ON_FAILURE: readonly Pick<AccountHead, 'refundsAtOnce' | 'retries' | 'fallbackChannels'>[] = [
  { refundsAtOnce: true, retries: 0, fallbackChannels: [] },
  { refundsAtOnce: true, retries: 1, fallbackChannels: ['quick'] },
  { refundsAtOnce: false, retries: 0, fallbackChannels: [] },
]

const idOf = (number: number) => `01890000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

export const OWNERS: readonly Owner[] = ON_FAILURE.map((_, i) => ({
  lane: i === 2 ? 1 : 0,
  accountId: idOf(0xa00 + i),
  keyId: `key_${i}`,
  walletIds: [idOf(0xb00 + i), idOf(0xc00 + i)],
}))

/** Accounts as they are before anything was asked of them: without money. */
export function seeded(owners: readonly Owner[]): Tables {
  const tables = emptyTables()
  owners.forEach(({ lane, accountId, keyId, walletIds }, i) => {
    const settings = ON_FAILURE[i % ON_FAILURE.length] ?? { refundsAtOnce: true, retries: 0, fallbackChannels: [] }
    tables.accounts.set(accountId, { ...ACCOUNT, ...settings, lane, accountId })
    tables.keys.set(keyId, {
      lane,
      accountId,
      name: 'Test',
      caps: null,
      mandate: null,
      line: { originId: keyId, madeBy: [] },
      isLive: true,
    })
    walletIds.forEach((id, which) => {
      const none = {
        availableMinor: 0n,
        heldMinor: 0n,
        inTransitMinor: 0n,
        pendingMinor: 0n,
        suspenseMinor: 0n,
        sequence: 0,
      }
      const wallet = { ...PLAIN_WALLET, ...none, lane, accountId, id, currency: 'PHP', isDefault: which === 0 }
      tables.wallets.set(`${accountId}/${id}`, wallet)
    })
  })
  return tables
}
