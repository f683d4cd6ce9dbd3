// An account of thousands of contracts in a book of many small accounts, which is what the planner takes every account for.
import pg from 'pg'
import { seedAccounts, seedIssued } from '../../../bench/stage/seed.ts'
import { openWorld, READY, type World } from '../../world.ts'

const LARGE = 4000
const OTHERS = 400

/** The world's caller has that account; its issued contracts carry `referenceId`. Tables are analysed. `client` is the owner's, for plans. */
export async function openLargeAccount(referenceId: string): Promise<{ world: World; client: pg.Client }> {
  const world = await openWorld({ workers: 'resting' })
  const client = new pg.Client(world.lanesOwner)
  await client.connect()
  const { id } = await world.caller.draft({ ...READY, deliverable: { type: 'salary', reference_id: referenceId } })
  await world.caller.ask('PUT', `/contracts/transfer/${id}/issue`)
  const { account } = world.caller
  const others = await seedAccounts(client, OTHERS)
  const original = { ...account, contractId: id, referenceId }
  await seedIssued(client, original, others, 2 * OTHERS)
  await seedIssued(client, original, [account], LARGE)
  await client.query('analyze contracts, contract_versions, approvals, jobs, search_terms, ledger, wallets')
  return { world, client }
}
