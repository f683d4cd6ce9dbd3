// The model test's real side: two accounts of a world, reached through two gateways in turn, and the comparison of what
// is there with what the model says.
import type pg from 'pg'
import { expect } from 'vitest'
import { creditFromChannel, isCredited } from '../../../src/app/accounts/credits.ts'
import type { ContractResult } from '../../../src/engine/command-request.ts'
import type { OutcomeDeps } from '../../../src/app/transfers/payouts.ts'
import { isPaidFromWallet, payFromWallet } from '../../../src/app/payments/wallet-payments.ts'
import { walletConnector } from '../../../src/connectors/wallet/wallet.ts'
import type { ChannelConfig } from '../../../src/domain/channel/config.ts'
import type { TransferCommand } from '../../../src/domain/transfer/commands.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { Caller, ContractBody, Method, Reply, World } from '../../world.ts'
import {
  chargeOf,
  isOver,
  lacksOf,
  majorText,
  type Model,
  type ModelChannel,
  type ModelContract,
  type Terms,
} from './model.ts'

/** A request with a key, and how it was answered for good. */
export type Kept = {
  readonly owner: number
  readonly method: Method
  readonly path: string
  readonly body: Record<string, unknown>
  readonly key: string
  readonly status: number
  readonly answered: string
}

export type Real = {
  readonly world: World
  /** The database's owner, who can make time pass. */
  readonly owner: pg.Pool
  /** By account, and for each the same account through the other gateway. */
  readonly callers: readonly (readonly [Caller, Caller])[]
  /** Contract ids, by the model's index. */
  readonly ids: string[]
  readonly kept: Kept[]
  readonly workers: OutcomeDeps
  /** How often contracts were seen in each state. */
  readonly reached: Map<string, number>
  steps: number
  turn: number
}

export const MODEL_CHANNELS: Readonly<Record<string, ModelChannel>> = {
  sandbox: {
    covered: true,
    sendsAtOnce: true,
    fees: { PHP: { pct: '0.5', add: '10', max: '12.34' }, JPY: { pct: '7.5', min: '25' } },
    bounds: {},
    needs: ['name', 'wallet'],
    isInside: false,
  },
  thrift: {
    covered: false,
    sendsAtOnce: false,
    fees: { PHP: { pct: '2.925', add: '0.15' } },
    bounds: { PHP: [100n, 50_000n] },
    needs: [],
    isInside: false,
  },
  wallet: {
    covered: true,
    sendsAtOnce: true,
    fees: { PHP: {}, JPY: { fixed: '3' } },
    bounds: {},
    needs: ['wallet'],
    isInside: true,
  },
}

/** The same channels as the gateway is told them. */
export function channelConfigs(): ChannelConfig[] {
  return Object.entries(MODEL_CHANNELS).map(([id, channel]) => ({
    id,
    service: 'payment',
    connector: channel.isInside ? 'wallet' : 'sandbox',
    name: id,
    description: `${id} of the model`,
    covered: channel.covered,
    undo_seconds: channel.sendsAtOnce ? 0 : 3600,
    currencies: Object.fromEntries(
      Object.entries(channel.fees).map(([currency, fees]) => {
        const [min, max] = channel.bounds[currency]?.map((minor) => Number(majorText(minor, currency))) ?? []
        const bounds = min === undefined || max === undefined ? {} : { min, max }
        return [
          currency,
          { ...bounds, fees: Object.fromEntries(Object.entries(fees).map(([name, text]) => [name, Number(text)])) },
        ]
      }),
    ),
    recipient: channel.needs.map((field) => ({
      field,
      mend: 'Give it.',
      ...(channel.isInside && field === 'wallet' ? { pattern: '[0-9a-f-]{36}' } : {}),
    })),
  }))
}

/** What workers of this world may touch; every channel's money goes to a wallet of the gateway. */
export function workersOf({ gateway }: World): OutcomeDeps {
  const { execute, reader, contracts } = gateway.deps
  const credits = { execute, reader, findContract: contracts.submit }
  const inside = walletConnector({
    credit: (walletId, order) => creditFromChannel(credits, walletId, order),
    isCredited: (walletId, reference) => isCredited(credits, walletId, reference),
    pay: (paymentId, order) => payFromWallet(credits, paymentId, order),
    isPaid: (paymentId, reference) => isPaidFromWallet(credits, paymentId, reference),
  })
  return {
    execute,
    connectors: new Map(Object.keys(MODEL_CHANNELS).map((id) => [id, inside])),
    freezes: gateway.deps.payments.freezes,
    leaseMs: 60_000,
    crashPoint: () => undefined,
  }
}

/** One request through the gateways in turn. With a key, an answer that is kept for good is remembered. */
export async function ask(
  real: Real,
  model: Model,
  owner: number,
  method: Method,
  path: string,
  body: Record<string, unknown>,
  key: string | null,
): Promise<Reply> {
  const reply = await callerOf(real, owner).ask(method, path, {
    body,
    ...(key === null ? {} : { headers: { 'idempotency-key': key } }),
  })
  const verdict = `${method} ${verdictOf(reply)}`
  real.reached.set(verdict, (real.reached.get(verdict) ?? 0) + 1)
  if (key !== null && (reply.status === 200 || reply.status === 402)) {
    real.kept.push({ owner, method, path, body, key, status: reply.status, answered: answeredBy(reply) })
    model.keptAnswers += 1
  }
  return reply
}

export function callerOf(real: Real, owner: number): Caller {
  real.turn += 1
  return real.callers[owner]![real.turn % 2]!
}

/** What must come again with the same key: the contract in the same version, or the same refusal. */
export function answeredBy(reply: Reply): string {
  if (reply.status !== 200) return reply.error.code
  const { id, version, status } = reply.data['contract'] as ContractBody
  return `${id} version ${version} ${status}`
}

/** 200, or the code of the refusal. */
export function verdictOf(reply: Reply): 200 | string {
  return reply.status === 200 ? 200 : reply.error.code
}

/** A worker's command on the contract; the lease's fence where it got one. */
export async function command(real: Real, contract: ModelContract, asked: TransferCommand): Promise<number | null> {
  const { lane, accountId } = real.callers[contract.owner]![0].account
  const answer = await real.world.gateway.deps.execute({
    lane,
    accountId,
    keyId: null,
    idempotency: null,
    command: asked,
  })
  if (isRefusal(answer)) throw new Error(`${asked.verb} was refused: ${answer.code}`)
  return (answer as ContractResult).attempt?.fence ?? null
}

export function walletId(real: Real, owner: number, currency: string): string {
  const wallet = real.callers[owner]![0].account.wallets.find((each) => each.currency === currency)
  if (!wallet) throw new Error(`no wallet in ${currency}`)
  return wallet.id
}

const NOBODYS_WALLET = '01890000-0000-7000-8000-00000000dead'

/** The model's words for a recipient as the API wants them. */
export function recipientOf(real: Real, owner: number, { name, wallet }: Pick<Terms, 'name' | 'wallet'>) {
  const [whose, currency = ''] = (wallet ?? '').split(' ')
  if (whose === 'nobody') return { name, wallet: NOBODYS_WALLET }
  if (whose === 'own' || whose === 'other')
    return { name, wallet: walletId(real, whose === 'own' ? owner : 1 - owner, currency) }
  return { name, wallet }
}

/** The contract through the API is what the model says, to the last line of its history. */
export async function expectSame(model: Model, real: Real, index: number): Promise<void> {
  const contract = model.contracts[index]!
  for (const state of [contract.status, contract.execution, `cancellation ${contract.cancellation}`])
    real.reached.set(state, (real.reached.get(state) ?? 0) + 1)
  const found = await callerOf(real, contract.owner).get(real.ids[index]!)
  const { terms } = contract
  const { feeMinor, debitMinor, receiveMinor } = chargeOf(model, terms)
  const major = (minor: bigint) => Number(majorText(minor, terms.currency))
  const lacks = contract.trail.includes('issued') ? [] : lacksOf(model, terms)
  expect(summaryOf(found)).toEqual({
    // What is over is told so as soon as it is read, whoever sweeps later.
    status: isOver(contract) ? 'expired' : contract.status,
    version: contract.version,
    amount: major(terms.amountMinor),
    currency: terms.currency,
    execution: contract.execution,
    cancellation: contract.cancellation,
    refund: contract.refundMinor === null ? null : major(contract.refundMinor),
    preview: {
      amount: major(debitMinor),
      fee: major(feeMinor),
      receives: major(receiveMinor),
      lacks: lacks.toSorted(),
    },
    trail: contract.trail,
  })
}

function summaryOf(found: ContractBody) {
  const { preview } = found
  return {
    status: found.status,
    version: found.version,
    amount: found.amount,
    currency: found.currency,
    execution: found.transfer.status,
    cancellation: found.cancellation?.status ?? null,
    refund: found.refund?.amount ?? null,
    preview: {
      amount: preview.amount,
      fee: preview.fees.total,
      receives: preview.receive_amount,
      lacks: preview.messages.map(({ code }) => code).toSorted(),
    },
    trail: found.activities.map(({ type }) => type),
  }
}

/** Contracts, balances and events of both accounts are the model's. */
export async function expectAllSame(model: Model, real: Real): Promise<void> {
  for (const index of model.contracts.keys()) await expectSame(model, real, index)
  for (const owner of [0, 1]) {
    const caller = callerOf(real, owner)
    for (const [currency, { available, held, inTransit }] of Object.entries(model.wallets[owner]!)) {
      const wallet = await caller.wallet(currency)
      const expected = [available, held, inTransit].map((minor) => Number(majorText(minor, currency)))
      expect([wallet.available, wallet.held, wallet.in_transit], `account ${owner}, ${currency}`).toEqual(expected)
    }
    type Event = {
      readonly type: string
      readonly sequence: number
      readonly data: { readonly object: { readonly id: string } }
    }
    const events = await caller.all<Event>('/events', 'events')
    const own = [...model.contracts.keys()].filter((index) => model.contracts[index]!.owner === owner)
    for (const index of own) {
      const told = events.filter(({ data }) => data.object.id === real.ids[index])
      expect(told.map(({ type }) => type)).toEqual(model.contracts[index]!.events)
      expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, place) => place + 1))
    }
    expect(events).toHaveLength(own.reduce((sum, index) => sum + model.contracts[index]!.events.length, 0))
  }
}
