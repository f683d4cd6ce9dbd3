// A real EVM chain on this machine (anvil, its binary spawned directly), a token on it, and an independent client to look
// at it with. Blocks come only when a test mines them, so that time is in the test's hands.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { type Abi, createTestClient, type Hex, http, publicActions, walletActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import type { CompiledToken } from './token/compile.ts'

/** What a recipient does to transfers of the test token (test/rig/token/TestToken.sol). */
export const MANNERS = { plain: 0, reverting: 1, silent: 2, taxed: 3 } as const

export type Chain = {
  readonly url: string
  readonly chainId: number
  readonly token: Hex
  /** Not the gateway's: what it sees is what anybody sees. */
  readonly client: ReturnType<typeof clientAt>
  /** Coins and tokens out of nothing. */
  readonly fund: (address: Hex, wei: bigint, units: bigint) => Promise<void>
  /** How the token treats transfers to the recipient from the next block on, which is mined. */
  readonly setManner: (recipient: Hex, manner: keyof typeof MANNERS) => Promise<void>
  readonly balance: (address: Hex) => Promise<bigint>
  readonly units: (address: Hex) => Promise<bigint>
  readonly nonce: (address: Hex) => Promise<number>
  readonly mine: (blocks?: number) => Promise<void>
  /** What waits in the pool is forgotten, as a node does that restarts. */
  readonly forgetPool: () => Promise<void>
  /** Somebody pays by a transaction, which waits to be mined; its hash. */
  readonly pay: (asset: 'coin' | 'token', to: Hex, units: bigint) => Promise<Hex>
  /** Somebody's contract pays in coins: no transaction names the address. */
  readonly payByContract: (to: Hex, wei: bigint) => Promise<Hex>
  /** Somebody else transfers no tokens, before all others in its block: an event that brings nothing. */
  readonly payNothing: (to: Hex) => Promise<Hex>
  /** The newest blocks are undone, and as many others put in their place. What was mined in them is gone. */
  readonly reorg: (depth: number) => Promise<void>
  readonly close: () => Promise<void>
}

const require = createRequire(import.meta.url)
// From where all tests and scripts run: what is compiled elsewhere has no such file beside it.
const { abi, bytecode } = JSON.parse(readFileSync('test/rig/token/TestToken.json', 'utf8')) as CompiledToken & {
  abi: Abi
}

// Pays for all that tests need; never the gateway's sender.
const TEST_MNEMONIC = 'test test test test test test test test test test test junk'
const holder = mnemonicToAccount(TEST_MNEMONIC, { addressIndex: 9 })

/** Starts a chain on any free port; `close()` ends it. */
export async function startChain(): Promise<Chain> {
  const program = require.resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  const child = spawn(program, ['--port', '0', '--no-mining', '--gas-limit', '100000000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  const url = await listeningUrl(createInterface(child.stdout))
  const client = clientAt(url)
  const mine = (blocks = 1) => client.mine({ blocks })
  const deployed = await client.deployContract({ abi, bytecode, args: [holder.address], account: holder })
  await mine()
  const token = (await client.getTransactionReceipt({ hash: deployed })).contractAddress
  if (!token) throw new Error('the token was not deployed')
  const write = async (functionName: string, args: readonly unknown[]) => {
    const hash = await client.writeContract({
      address: token,
      abi,
      functionName,
      args,
      account: holder,
      gas: 200_000n,
    })
    await mine()
    const { status } = await client.getTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${functionName} of the token was ${status}`)
  }
  return {
    url,
    chainId: foundry.id,
    token,
    client,
    fund: async (address, wei, units) => {
      await client.setBalance({ address, value: wei })
      if (units > 0n) await write('transfer', [address, units])
    },
    setManner: (recipient, manner) => write('setManner', [recipient, MANNERS[manner]]),
    balance: (address) => client.getBalance({ address }),
    units: async (address) =>
      (await client.readContract({ address: token, abi, functionName: 'balanceOf', args: [address] })) as bigint,
    nonce: (address) => client.getTransactionCount({ address }),
    mine,
    forgetPool: () =>
      client.request<{ ReturnType: null }>({ method: 'anvil_dropAllTransactions' } as never).then(() => undefined),
    ...payer(client, token),
    reorg: (depth) =>
      client
        .request<{ ReturnType: null }>({ method: 'anvil_reorg', params: [depth, []] } as never)
        .then(() => undefined),
    close: async () => {
      child.kill()
      await gone
    },
  }
}

const hasty = mnemonicToAccount(TEST_MNEMONIC, { addressIndex: 8 })
const PAYING = { account: holder, gas: 100_000n } as const

function payer(client: ReturnType<typeof clientAt>, token: Hex): Pick<Chain, 'pay' | 'payByContract' | 'payNothing'> {
  return {
    pay: (asset, to, units) =>
      asset === 'coin'
        ? client.sendTransaction({ ...PAYING, to, value: units })
        : client.writeContract({ ...PAYING, address: token, abi, functionName: 'transfer', args: [to, units] }),
    payNothing: (to) => {
      const ask = { ...PAYING, account: hasty, maxPriorityFeePerGas: 10n ** 10n, maxFeePerGas: 10n ** 11n }
      return client.writeContract({ ...ask, address: token, abi, functionName: 'transfer', args: [to, 0n] })
    },
    // A contract that gives all it has to the address while it is made, and is gone: PUSH20 <to> SELFDESTRUCT.
    payByContract: (to, value) => client.sendTransaction({ ...PAYING, value, data: `0x73${to.slice(2)}ff` }),
  }
}

function clientAt(url: string) {
  const transport = http(url, { retryCount: 0 })
  return createTestClient({ mode: 'anvil', chain: foundry, transport, cacheTime: 0, pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions)
}

async function listeningUrl(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /^Listening on (\S+)$/.exec(line)?.[1]
    if (address) return `http://${address}`
  }
  throw new Error('the chain ended at its start')
}
