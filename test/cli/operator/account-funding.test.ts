// gateway accounts fund: which wallet is meant, and what is asked before money is put into it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fundQuestion } from '../../../src/cli/operator/account-funding.ts'
import { asOperator } from '../../../src/cli/operator/as-operator.ts'
import { main } from '../../../src/cli/main.ts'
import { urlOf } from '../../rig/servers/other-server.ts'
import { openWorld, type World } from '../../world.ts'

let world: World
let folder: string
let said: string
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  folder = mkdtempSync(join(tmpdir(), 'gateway-fund-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.stop()
})
beforeEach(() => {
  said = ''
  vi.stubEnv('DATABASE_URL', urlOf(world.database.owner))
  vi.stubEnv('GATEWAY_DATA_DIR', folder)
  const collect = (text: string | Uint8Array) => {
    said += String(text)
    return true
  }
  vi.spyOn(process.stderr, 'write').mockImplementation(collect)
  vi.spyOn(process.stdout, 'write').mockImplementation(collect)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  process.exitCode = undefined
})

/** `beside`: what is given with the id of a wallet that has pesos. */
async function fund(...beside: readonly string[]) {
  const { id } = await world.caller.wallet('PHP')
  const exit = await main(['accounts', 'fund', '--wallet', id, '--amount', '5000', '--yes', ...beside])
  return { id, exit }
}
const availableNow = async () => (await world.caller.wallet('PHP')).available

test('another currency than that of the wallet credits nothing', async () => {
  const before = await availableNow()
  const { id, exit } = await fund('--currency', 'USD')
  expect({ exit, said }).toEqual({
    exit: 1,
    said: expect.stringContaining(`Wallet ${id} is in PHP, not USD. Nothing was credited.`),
  })
  expect(await availableNow()).toEqual(before)
})

test('a wallet of another account than the one given credits nothing', async () => {
  const before = await availableNow()
  const { accountId } = world.other.account
  const { id, exit } = await fund('--account', accountId)
  expect({ exit, said }).toEqual({
    exit: 1,
    said: expect.stringContaining(
      `Wallet ${id} is one of account ${world.caller.account.accountId}, not of ${accountId}. Nothing was credited.`,
    ),
  })
  expect(await availableNow()).toEqual(before)
})

test('with its own currency and account it is credited', async () => {
  const { exit } = await fund('--currency', 'PHP', '--account', world.caller.account.accountId)
  expect({ exit, said }).toEqual({ exit: 0, said: expect.stringContaining('Credited: the TEST wallet has') })
})

test('the question says how much of which currency, whose wallet, and that it is a test', async () => {
  const { id: wallet } = await world.caller.wallet('PHP')
  const { accountId } = world.caller.account
  const [account] = await world.sql(`select name from accounts where account_id = '${accountId}'`)
  const asked = await asOperator((operator) =>
    fundQuestion(operator, { wallet, account: undefined, currency: undefined, amount: 5000 }),
  )
  const name = JSON.stringify(account?.['name'])
  expect(asked).toBe(`Put TEST PHP 5,000.00 into wallet ${wallet} of ${name}, the account ${accountId}?`)
})
