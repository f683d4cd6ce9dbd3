// Statements against the ledger: a few hundred random lives of wallets; the long form is `npm run stories`. And statements of
// periods that have passed never change, whatever is being paid meanwhile.
import { afterAll, expect, test } from 'vitest'
import { statementOf } from '../../src/app/wallets/statements.ts'
import type { Line, Statement } from '../../src/domain/wallet/statement.ts'
import type { Wallet } from '../../src/domain/wallet/wallet.ts'
import { loadWallets, walletFrom } from '../../src/ledger/wallets.ts'
import { diceOf, newSeed } from '../rig/dice.ts'
import { openOwner } from '../rig/wallets/wallet-owner.ts'
import { clockOf, linesOf, runWalletStories, storyReport } from '../rig/wallets/wallet-stories.ts'
import { openWorld } from '../world.ts'

const world = await openWorld({ workers: 'resting', undoSeconds: 0 })
const { deps } = world.gateway
afterAll(() => world.stop())

test('the statement of any period is opening, lines and closing, equals the balance at its ends, and joins the next', async () => {
  const figures = await runWalletStories(deps, { stories: 150, seed: newSeed() })
  console.log(storyReport(figures))
  expect(figures.findings).toEqual([])
  expect(figures.lines).toBeGreaterThan(100)
  await world.ledgerHolds()
})

const STATEMENTS_MIN = 10
const ACTS_MAX = 1000

test('a statement up to now does not change afterwards, while the account is being paid from', async () => {
  const { account } = await world.newCaller()
  const [found] = await deps.reader.send([loadWallets({ kind: 'one lane', lane: account.lane }, [account])])
  const wallet = (found?.rows ?? []).map(walletFrom).find(({ currency }) => currency === 'PHP') as Wallet
  const own = { ...account, wallets: [{ id: wallet.id, currency: 'PHP' }] }
  const owners = Array.from({ length: 8 }, (_, i) => openOwner(deps, own, diceOf(i)))
  const told: { statement: Statement; lines: Line[] }[] = []
  let isBusy = true
  const busy = Promise.all(
    owners.map(async (owner) => {
      // As long as it takes that enough statements fall between: a quick machine acts faster than it is asked.
      for (let i = 0; i < 15 || (told.length <= STATEMENTS_MIN && i < ACTS_MAX); i++) await owner.act()
    }),
  ).finally(() => {
    isBusy = false
  })
  while (isBusy) {
    const nowMs = await clockOf(deps)
    const statement = await statementOf(deps, wallet, nowMs - 60_000, nowMs, nowMs)
    told.push({ statement, lines: await linesOf(deps, statement) })
  }
  await busy
  expect(told.length).toBeGreaterThan(STATEMENTS_MIN)
  for (const { statement, lines } of told) {
    const again = await statementOf(deps, wallet, statement.fromMs, statement.toMs, await clockOf(deps))
    expect(again).toEqual(statement)
    expect(await linesOf(deps, again)).toEqual(lines)
  }
  console.log(
    `${told.length} statements were asked for while the wallet moved ${told.at(-1)?.statement.closing.sequence} times: none changed`,
  )
})
