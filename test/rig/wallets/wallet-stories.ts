// Random lives of wallets: money comes in, leaves, comes back and moves between them, and any period of any wallet is asked for.
// What statements say is compared with the ledger's rows, added up in other words than those of the code.
import { createAccount } from '../../../src/app/accounts/accounts.ts'
import { allLines, standingsAt, statementOf } from '../../../src/app/wallets/statements.ts'
import { createWallet } from '../../../src/app/wallets/wallets.ts'
import type { Deps } from '../../../src/app/deps.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { Line, Statement } from '../../../src/domain/wallet/statement.ts'
import type { Balances, Wallet } from '../../../src/domain/wallet/wallet.ts'
import { loadWallets, walletFrom } from '../../../src/ledger/wallets.ts'
import { CLOCK, databaseTimeFrom } from '../../../src/store/contracts/expiry.ts'
import { diceOf, type Dice } from '../dice.ts'
import { openOwner, type Owner } from './wallet-owner.ts'

export type StoryFigures = {
  readonly seed: number
  readonly stories: number
  readonly commands: number
  readonly periods: number
  readonly lines: number
  readonly findings: readonly string[]
}

const BALANCES = ['availableMinor', 'heldMinor', 'inTransitMinor', 'pendingMinor', 'suspenseMinor'] as const
const ACCOUNTS = {
  availableMinor: 'available',
  heldMinor: 'held',
  inTransitMinor: 'in_transit',
  pendingMinor: 'pending',
  suspenseMinor: 'suspense',
}

/** Plays so many stories, some at once; each on an account of its own. */
export async function runWalletStories(
  deps: Deps,
  { stories, seed, atOnce = 24 }: { readonly stories: number; readonly seed: number; readonly atOnce?: number },
): Promise<StoryFigures> {
  const figures = { seed, stories, commands: 0, periods: 0, lines: 0, findings: [] as string[] }
  let next = 0
  const play = async () => {
    for (let story = next++; story < stories; story = next++) {
      const told = await playStory(deps, diceOf(seed).part(`story ${story}`))
      figures.commands += told.commands
      figures.periods += told.periods
      figures.lines += told.lines
      figures.findings.push(...told.findings.map((finding) => `story ${story} of seed ${seed}: ${finding}`))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, play))
  return figures
}

export const storyReport = ({ seed, stories, commands, periods, lines, findings }: StoryFigures): string =>
  `${stories} stories of wallets, ${commands} commands, ${periods} periods with ${lines} lines, seed ${seed}: ${
    findings.length === 0 ? 'every one opened, closed and joined to the last centavo' : findings.slice(0, 5).join('\n')
  }`

const LONG_MS = 3_600_000

async function playStory(deps: Deps, dice: Dice): Promise<Omit<StoryFigures, 'seed' | 'stories'>> {
  const owner = openOwner(deps, await newAccount(deps), dice)
  for (let wallets = dice.whole(1, 2); wallets > 0; wallets--) await moreWallets(deps, owner)
  for (let acts = dice.whole(5, 14); acts > 0; acts--) await owner.act()
  const findings: string[] = []
  let lines = 0
  const wallets = await walletsOf(deps, owner)
  const rows = await rowsOf(deps, owner)
  const periods = 3
  for (let i = 0; i < periods; i++) {
    const wallet = dice.pick(wallets)
    const own = rows.filter((row) => row.walletId === wallet.id)
    const nowMs = await clockOf(deps)
    // Nothing more happens here, so that both ways to read a moment are right: held, and as of long ago.
    const readAtMs = dice.chance(0.2) ? nowMs : nowMs + LONG_MS
    const moments = [...own.map(({ atMs }) => atMs + dice.whole(-1, 1)), own[0]?.atMs ?? nowMs, nowMs].map((at) =>
      Math.min(at, nowMs),
    )
    const [fromMs, cutMs, toMs] = [dice.pick(moments), dice.pick(moments), dice.pick(moments)].toSorted(
      (a, b) => a - b,
    ) as [number, number, number]
    lines += await judge(deps, { wallet, own, fromMs, cutMs, toMs, nowMs: readAtMs }, findings)
  }
  for (const balance of BALANCES) {
    const inWallets = wallets.reduce((sum, wallet) => sum + wallet[balance], 0n)
    const inRows = sumOf(rows, balance, Number.POSITIVE_INFINITY)
    if (inWallets !== inRows) findings.push(`${balance}: the wallets have ${inWallets}, the ledger ${inRows}`)
  }
  return { commands: owner.commands(), periods, lines, findings }
}

type LedgerLine = {
  walletId: string
  sequence: number
  debit: string
  credit: string
  amountMinor: bigint
  atMs: number
}
type Asked = { wallet: Wallet; own: readonly LedgerLine[]; fromMs: number; cutMs: number; toMs: number; nowMs: number }

/** One period and its two parts, against the rows. Says how many lines it had. */
async function judge(
  deps: Deps,
  { wallet, own, fromMs, cutMs, toMs, nowMs }: Asked,
  findings: string[],
): Promise<number> {
  const expect = (what: string, is: unknown, should: unknown) => {
    if (is !== should)
      findings.push(
        `${what}: ${String(is)} and not ${String(should)} (wallet ${wallet.id}, ${fromMs}–${cutMs}–${toMs})`,
      )
  }
  const [whole, first, second] = await Promise.all([
    statementOf(deps, wallet, fromMs, toMs, nowMs),
    statementOf(deps, wallet, fromMs, cutMs, nowMs),
    statementOf(deps, wallet, cutMs, toMs, nowMs),
  ])
  const [opening, closing] = await standingsAt(deps, wallet, [fromMs, toMs], nowMs)
  const lines = await linesOf(deps, whole)
  const parts = [...(await linesOf(deps, first)), ...(await linesOf(deps, second))]
  const change = lines.reduce((sum, line) => sum + line.changeMinor, 0n)
  expect('opening + lines', whole.opening.availableMinor + change, whole.closing.availableMinor)
  expect('lines of both parts', textOf(parts), textOf(lines))
  for (const balance of BALANCES) {
    expect(`opening ${balance} = ?at=`, whole.opening[balance], opening?.[balance])
    expect(`closing ${balance} = ?at=`, whole.closing[balance], closing?.[balance])
    expect(`opening ${balance} = rows`, whole.opening[balance], sumOf(own, balance, fromMs))
    expect(`closing ${balance} = rows`, whole.closing[balance], sumOf(own, balance, toMs))
    expect(`joint ${balance}`, first.closing[balance], second.opening[balance])
  }
  return lines.length
}

/** All rows before a moment, added up. */
function sumOf(rows: readonly LedgerLine[], balance: keyof Balances, beforeMs: number): bigint {
  const account = ACCOUNTS[balance]
  return rows
    .filter(({ atMs }) => atMs < beforeMs)
    .reduce(
      (sum, { debit, credit, amountMinor }) =>
        sum + (credit === account ? amountMinor : debit === account ? -amountMinor : 0n),
      0n,
    )
}

export async function linesOf(deps: Pick<Deps, 'reader'>, statement: Statement): Promise<Line[]> {
  const all: Line[] = []
  for await (const lines of allLines(deps, statement)) all.push(...lines)
  return all
}

const textOf = (lines: readonly Line[]): string =>
  lines.map(({ sequence, changeMinor }) => `${sequence}:${changeMinor}`).join(' ')

async function newAccount(deps: Deps) {
  const wanted = { name: 'Story', livemode: false, currencies: ['PHP'] }
  return createAccount(deps.reader, { nowMs: deps.nowMs, randomHex: deps.randomHex }, wanted)
}

async function moreWallets(deps: Deps, { account, wallets }: Owner): Promise<void> {
  const actor = { kind: 'gateway', id: 'story', address: null, requestId: null } as const
  const changer = { lane: account.lane, accountId: account.accountId, keyId: null, actor }
  const made = await createWallet(deps, changer, { currency: 'PHP', label: null, lowMinor: 5_000n, metadata: {} })
  if (isRefusal(made)) throw new Error(made.message)
  wallets.push(made.id)
}

async function walletsOf({ reader }: Deps, { account: { lane, accountId } }: Owner): Promise<Wallet[]> {
  const [found] = await reader.send([loadWallets({ kind: 'one lane', lane }, [{ lane, accountId }])])
  return (found?.rows ?? []).map(walletFrom)
}

async function rowsOf({ reader }: Deps, { account: { lane, accountId } }: Owner): Promise<LedgerLine[]> {
  const text = `select g.wallet_id, g.sequence, g.debit, g.credit, g.amount_minor, round(extract(epoch from g.at) * 1000)::float8 as at_ms
                  from ledger g where g.lane = $1 and g.account_id = $2 order by g.wallet_id, g.sequence`
  const [found] = await reader.send([{ name: 'rows_of_story', text, values: [lane, accountId] }])
  return (found?.rows ?? []).map((row) => ({
    walletId: row['wallet_id'] as string,
    sequence: Number(row['sequence']),
    debit: row['debit'] as string,
    credit: row['credit'] as string,
    amountMinor: BigInt(row['amount_minor'] as string),
    atMs: row['at_ms'] as number,
  }))
}

export async function clockOf({ reader }: Pick<Deps, 'reader'>): Promise<number> {
  const [clock] = await reader.send([CLOCK])
  return databaseTimeFrom(clock)
}
