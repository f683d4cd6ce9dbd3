// An account with the people that commands are told of, for tests: who writes one, who sets it going, who approves what it makes.
import { expect } from 'vitest'
import { type Caller, type World, READY } from '../../world.ts'
import { asks } from '../approvals/policies.ts'
import { joined, type Person } from '../members/people.ts'
import { give } from './command-stage.ts'

/** A row of which an approval is asked in an office. */
export const BIG = { ...READY, amount: 5000 }

/** Somebody approves the contract of a row as it waits. */
export async function approve(account: Caller, { ask }: Pick<Person, 'ask'>, contractId: string | null | undefined) {
  const { data } = await account.ask('GET', `/contracts/transfer/${contractId}`)
  const { approval } = data['contract'] as { approval: { terms_hash: string } }
  return ask('PUT', `/contracts/transfer/${contractId}/approve`, { body: { terms_hash: approval.terms_hash } })
}

/** An account of which an approval is asked, with those who wrote something, who set it going, and who has no part in it. */
export async function office(world: World, lane: number) {
  const account = await world.newCaller({ lane, funds: { PHP: 1_000_000_00n } })
  const people = [await joined(world, account, 'admin'), await joined(world, account, 'operator')] as const
  const [writer, other] = people
  await asks(world, account, [{ count: 1, role: null }])
  return { account, writer, other, third: await joined(world, account, 'approver') }
}

export const filled = async (by: Pick<Person, 'ask'>, rows: readonly object[], type = 'transfers.payout') => {
  const { id } = await give(by, { type })
  expect((await by.ask('POST', `/commands/${id}/rows`, { body: { rows } })).status).toBe(200)
  return id
}

/** What waits is tried again at once. */
export async function again({ sql }: World, id: string): Promise<void> {
  await sql('update command_rows set due_at = now() where command_id = $1', [id])
  await sql('update commands set due_at = now() where id = $1', [id])
}
