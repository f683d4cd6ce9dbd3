// Two people who operate a gateway, one of another account, and transfers whose outcome nobody knows.
import type { Command } from '../../../src/domain/contract/command.ts'
import type { Outcome } from '../../../src/domain/channel/outcome.ts'
import { type Caller, openWorld, type World, type WorldOptions } from '../../world.ts'
import { joined, type Person } from '../members/people.ts'

export type Stage = {
  readonly world: World
  readonly operator: Person
  readonly approver: Person
  /** Owner of the operating account: may do both, but not both of one resolution. */
  readonly owner: Person
  /** Owner of an account that operates nothing. */
  readonly stranger: Person
  /** A merchant, whose transfers they are. */
  readonly merchant: Caller
  readonly stop: () => Promise<void>
}

export async function openStage(options: WorldOptions = {}): Promise<Stage> {
  const world = await openWorld({ workers: 'resting', ...options })
  const { caller, other } = world
  const merchant = await world.newCaller({
    lane: caller.account.lane,
    funds: { PHP: 1_000_000_000_00n, USD: 1_000_00n },
  })
  await world.sql('update accounts set operates = true where account_id = $1', [caller.account.accountId])
  return {
    world,
    merchant,
    operator: await joined(world, caller, 'operator'),
    approver: await joined(world, caller, 'approver'),
    owner: await joined(world, caller, 'owner'),
    stranger: await joined(world, other, 'owner'),
    stop: world.stop,
  }
}

const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }

function command({ world }: Stage, caller: Caller, asked: Command): Promise<unknown> {
  const { lane, accountId } = caller.account
  return world.gateway.deps.execute({ lane, accountId, keyId: null, idempotency: null, command: asked })
}

/** What the channel says of the only attempt at a contract. */
export function report(stage: Stage, caller: Caller, id: string, kind: Outcome['kind'], fence: number | null = null) {
  const outcome = { kind, reason: 'r', code: 'c', message: 'm', providerId: null } as Outcome
  const said = { verb: 'report', id, number: 1, channelId: 'sandbox', fence, outcome, connector: CONNECTOR } as const
  return command(stage, caller, said)
}

/** A transfer of the merchant that was sent, and of which nobody knows the outcome. */
export async function unknown(stage: Stage, amount: number, currency = 'PHP'): Promise<string> {
  const caller = stage.merchant
  const { id } = await caller.paid({ amount, currency })
  await command(stage, caller, { verb: 'submit', id, leaseMs: 60_000, connector: CONNECTOR })
  await report(stage, caller, id, 'unknown', 1)
  return id
}
