// A real gateway under load while something is done to it; then it is left alone, and all that callers were told must be true.
// What is done is the caller's: kills (crash.ts), or a long time of little faults (soak.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { unsoundness } from '../books.ts'
import { askForAll, type Caller, type Contract, openCaller } from '../caller.ts'
import { type Dice, diceOf } from '../dice.ts'
import type { GatewayChild } from '../gateway-child.ts'
import { type GatewayProcess, lastLines, openGatewayProcess, ownerConnection, rowsFrom } from '../gateway-process.ts'
import {
  advanceProvider,
  FUNDED_MAJOR,
  mismatches,
  type Observed,
  observe,
  type Provider,
  providerBooks,
} from '../match.ts'
import { type Load, type Story, startLoad } from './stories.ts'

export type DisturbedOptions = {
  readonly seed: number
  readonly callers: number
  /** `asked at once`: when it is over, every open attempt is due at once, as an operator may order. */
  readonly heal: 'asked at once' | 'left alone'
  readonly healWithinMs: number
  /** Gateways on the one database, 1 where nothing is said; callers ask them in turn. */
  readonly gateways?: number
  /** Of the gateways, beside those that every run has. */
  readonly settings?: Readonly<Record<string, string>>
  /** The owner of the database, where that is not the embedded one. */
  readonly owner?: () => pg.ClientConfig
  /** A disk of its own for the data directory, so small. */
  readonly diskSize?: string
}

export type LoadFigures = {
  readonly seed: number
  readonly contracts: Readonly<Record<string, number>>
  readonly requests: number
  readonly acknowledgedWrites: number
  readonly answersByStatus: Readonly<Record<string, number>>
  readonly providerExecutions: number
  readonly secondsToHeal: number
  readonly seconds: number
  /** All that is not as it must be; empty when the run passed. */
  readonly findings: readonly string[]
}

const CALL_TIMEOUT_MS = 800
const LEASE_MS = 2500
const CALLERS_CONNECTIONS = 32

export const SANDBOX = {
  id: 'sandbox',
  service: 'payment',
  name: 'Sandbox',
  description: 'Pays out through the sandbox provider.',
  covered: true,
  undo_seconds: 1,
  currencies: { PHP: { fees: { pct: 0.5, add: 10, max: 250 } } },
  recipient: [
    { field: 'name', mend: 'Give a name.' },
    { field: 'wallet', mend: 'Give an account.' },
  ],
}

/** What was measured meanwhile, and what was found. */
export type Disturbed<T> = { readonly figures: T; readonly findings: readonly string[] }

/** Runs load and what is done to it, heals, and compares. Throws only where the gateway could not be run at all. */
export async function runDisturbed<T>(
  options: DisturbedOptions,
  disturb: (gateway: GatewayProcess, dice: Dice, load: Load, beside: readonly GatewayChild[]) => Promise<Disturbed<T>>,
): Promise<LoadFigures & T> {
  const from = performance.now()
  const limits = { GATEWAY_CALL_TIMEOUT_MS: String(CALL_TIMEOUT_MS), GATEWAY_LEASE_MS: String(LEASE_MS) }
  const settings = { ...limits, ...options.settings }
  const gateway = await openGatewayProcess({ channels: [SANDBOX] }, settings, options.diskSize)
  const callers: Caller[] = []
  try {
    gateway.launch()
    await gateway.ready()
    const beside = await besideOf(gateway, (options.gateways ?? 1) - 1)
    const dev = gateway.dev()
    const funds = ['--account', dev.account_id, '--currency', 'PHP', '--amount', String(FUNDED_MAJOR)]
    await gateway.commandBeside('accounts', 'fund', '--yes', ...funds)
    const caller = openCaller(gateway.url, dev.api_key, CALLERS_CONNECTIONS)
    const other = openCaller(gateway.url, dev.other_account.api_key, 1)
    const others = beside.map(({ url }) => openCaller(url, dev.api_key, CALLERS_CONNECTIONS))
    callers.push(caller, other, ...others)
    const dice = diceOf(options.seed)
    const load = startLoad(inTurn([caller, ...others]), dice.part('load'), options.callers, await walletOf(other))
    const disturbed = await disturb(gateway, dice.part('disturb'), load, beside)
    const healing = performance.now()
    await load.finish()
    const owner = () => options.owner?.() ?? ownerConnection(gateway.dataDir)
    if (options.heal === 'asked at once') await askAtOnce(owner())
    const healed = await untilEnded(caller, gateway.dev(), options.healWithinMs)
    const secondsToHeal = (performance.now() - healing) / 1000
    const observed = await observe(caller, other, gateway.dev())
    const found = [
      ...healed,
      ...load.findings,
      ...mismatches(load.stories, observed),
      ...(await proofs(gateway, owner())),
    ]
    const findings = [...disturbed.findings, ...found]
    if (findings.length > 0) findings.push(`the gateway's log ends with:\n${lastLines(gateway.logPath)}`)
    const seconds = (performance.now() - from) / 1000
    return { ...disturbed.figures, ...figuresOf(options, load, observed), secondsToHeal, seconds, findings }
  } finally {
    await Promise.all(callers.map((each) => each.close()))
    await gateway.remove()
  }
}

/** So many more gateways on the same database, ready. */
async function besideOf(gateway: GatewayProcess, count: number): Promise<GatewayChild[]> {
  const beside: GatewayChild[] = []
  for (let i = 0; i < count; i++) {
    const another = await gateway.addGateway()
    another.launch()
    await another.ready()
    beside.push(another)
  }
  return beside
}

/** One caller who asks another gateway each time: whoever asks again asks somebody else. */
export function inTurn(callers: readonly Caller[]): Caller {
  let turn = 0
  return {
    ask: (...asked) => (callers[turn++ % callers.length] as Caller).ask(...asked),
    close: async () => {
      for (const each of callers) await each.close()
    },
  }
}

/** Moves every wait of an open attempt to now; a worker's lease stays. */
async function askAtOnce(owner: pg.ClientConfig): Promise<void> {
  await rowsFrom(
    owner,
    `update jobs set due_at = now() where due_at > now() and status in ('queued', 'unknown', 'accepted')`,
  )
}

/** Waits until no contract is on its way any more; what is left after that long is a finding. */
export async function untilEnded(caller: Caller, provider: Provider, withinMs: number): Promise<string[]> {
  const until = performance.now() + withinMs
  // Late completions and bounces.
  await advanceProvider(provider, 10)
  for (;;) {
    const left = await onTheirWay(caller, provider).catch((fault: unknown) => [String(fault)])
    if (left.length === 0) return []
    if (performance.now() > until) return [`after ${withinMs} ms contracts are still on their way: ${left.join(', ')}`]
    await sleep(200)
  }
}

/** Contracts that have not ended, and completed ones whose money the provider gave back. */
async function onTheirWay(caller: Caller, provider: Provider): Promise<string[]> {
  const open: Contract[] = []
  for (const status of ['paid', 'returned'])
    open.push(...(await askForAll<Contract>(caller, `/contracts/transfer?status=${status}`, 'contracts')))
  if (open.length > 0) return open.map(({ id, transfer }) => `${id} ${transfer.status}`)
  const { transfers } = await providerBooks(provider)
  const bounced = new Set(transfers.filter(({ status }) => status === 'returned').map(({ reference }) => reference))
  const completed = await askForAll<Contract>(caller, '/contracts/transfer?status=completed', 'contracts')
  return completed.filter(({ transfer }) => bounced.has(transfer.reference ?? '')).map(({ id }) => `${id} bounced`)
}

/** The books by our own proofs, and by the gateway's. */
async function proofs(gateway: GatewayProcess, owner: pg.ClientConfig): Promise<string[]> {
  const found = await unsoundness(owner)
  const { status, stdout, stderr } = gateway.command('verify', '--json')
  return status === 0 ? found : [...found, `gateway verify ended with ${status}: ${stdout} ${stderr}`]
}

function figuresOf({ seed }: DisturbedOptions, { stories, statuses }: Load, { contracts, provider }: Observed) {
  const byStatus: Record<string, number> = {}
  for (const { status } of contracts) byStatus[status] = (byStatus[status] ?? 0) + 1
  const entries = stories.flatMap((story: Story) => story.log)
  return {
    seed,
    contracts: byStatus,
    requests: entries.reduce((sum, { tries }) => sum + tries, 0),
    acknowledgedWrites: entries.filter(({ reply }) => reply?.status === 200).length,
    answersByStatus: Object.fromEntries(
      [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => [status === 0 ? 'none' : status, count]),
    ),
    providerExecutions: provider.transfers.reduce((sum, { executions }) => sum + executions, 0),
  }
}

/** The figures as a person reads them, under a first line and behind what was measured beside. */
export function disturbedReport(first: string, measured: string, figures: LoadFigures): string {
  const { contracts, findings } = figures
  return [
    first,
    `  acknowledged writes: ${figures.acknowledgedWrites} of ${figures.requests} requests; answers by status: ${JSON.stringify(figures.answersByStatus)}`,
    `  contracts by end state: ${JSON.stringify(contracts)}; provider executions: ${figures.providerExecutions}`,
    `  ${measured}, healed in ${figures.secondsToHeal.toFixed(1)} s`,
    `  findings: ${findings.length}`,
    ...findings.slice(0, 40).map((finding) => `    ${finding}`),
  ].join('\n')
}

async function walletOf(caller: Caller): Promise<string> {
  const { data } = await caller.ask('GET', '/wallets')
  const wallet = (data['wallets'] as { id: string; currency: string }[]).find(({ currency }) => currency === 'PHP')
  if (!wallet) throw new Error('the other account has no wallet')
  return wallet.id
}
