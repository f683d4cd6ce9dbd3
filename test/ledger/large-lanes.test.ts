// Proofs of a lane with a large account in a book of many. The planner expects few rows of an account there, for most have few; row by
// row, the proofs of half a million contracts compared each with each version and did not end.
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_LANES } from '../../src/domain/contract/ids.ts'
import { JOIN_WHOLE, proofsOf } from '../../src/ledger/verify.ts'
import { listLiveCredits } from '../../src/ledger/verify-outside.ts'
import { openAuditSession } from '../../src/main/database/database.ts'
import type { Statement } from '../../src/platform/db.ts'
import { openBookProofs } from '../../src/workers/sweeps/prove-books.ts'
import { planOf } from '../rig/plans/keyed-plans.ts'
import { openLargeAccount } from '../rig/plans/large-account.ts'
import type { World } from '../world.ts'

let world: World
let client: pg.Client

beforeAll(async () => {
  const opened = await openLargeAccount('october-0042')
  world = opened.world
  client = opened.client
  // As sessions of the gateway have it: what a transaction sets reaches the nodes that do its work.
  await client.query(`set citus.propagate_set_commands = 'local'`)
})

afterAll(async () => {
  await client.end()
  await world.stop()
})

/** Of each nested loop, what it looks at again for each row of its outer side, where that is more than the row's own document. */
function loopsIn(plan: string): string[] {
  const nodes = plan.split('\n').flatMap((line) => {
    const [, indent, node] = /^(\s*)(?:->\s+)?(\S.* \(cost=.*)$/.exec(line) ?? []
    return node ? [{ depth: (indent as string).length, node }] : []
  })
  return nodes.flatMap((loop, at) => {
    if (!loop.node.startsWith('Nested Loop')) return []
    const end = nodes.findIndex(({ depth }, place) => place > at && depth <= loop.depth)
    const below = nodes.slice(at + 1, end < 0 ? undefined : end)
    const inner = below.findLastIndex(({ depth }) => depth === below[0]?.depth)
    return below
      .slice(inner)
      .flatMap(({ node }) => (/\bScan\b/.test(node) && !node.startsWith('Function Scan') ? [node] : []))
  })
}

async function loopsOf(proofs: readonly Statement[], ahead: readonly Statement[]): Promise<Record<string, string[]>> {
  await client.query('begin')
  try {
    for (const { text } of ahead) await client.query(text)
    const found: Record<string, string[]> = {}
    for (const proof of proofs) {
      const loops = loopsIn(await planOf(client, proof))
      if (loops.length > 0) found[proof.name] = loops
    }
    return found
  } finally {
    await client.query('rollback')
  }
}

test('no proof goes through a table once for each row of another', async () => {
  const { lane } = world.caller.account
  const proofs = [...proofsOf(lane), listLiveCredits(lane)]
  // What makes them so is needed: without it the planner takes the account for one of a few rows.
  expect(await loopsOf(proofs, [])).toHaveProperty('verify_heads')
  expect(await loopsOf(proofs, [JOIN_WHOLE])).toEqual({})
})

test('a gateway that stops waits for no proof', async () => {
  const session = openAuditSession(world.operators)
  const proofs = openBookProofs({
    session,
    sealKeys: { known: () => null },
    ownLanes: () => ALL_LANES,
    monotonicMs: () => performance.now(),
    onFinding: () => undefined,
  })
  await client.query('begin')
  try {
    // Read by a proof, and by nothing before it.
    await client.query('lock table account_modes')
    const round = proofs.round()
    await expect.poll(waitingForLocks).toBeGreaterThan(0)
    proofs.halt()
    await session.close()
    expect(await round).toBe(0)
    expect(proofs.oldestSeconds()).toBeGreaterThan(0)
  } finally {
    await client.query('rollback')
  }
})

async function waitingForLocks(): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_locks where not granted and relation = 'account_modes'::regclass`,
  )
  return rows[0]?.waiting ?? 0
}
