// A lane moves while an operator's command proves it or writes its archive, and while a gateway follows its seals that hears of no move:
// it is not taken for an empty one, nor for one that somebody has emptied.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyBooksBy } from '../../../src/app/operator/verify.ts'
import { listHeads } from '../../../src/app/seals/heads.ts'
import { writeArchives } from '../../../src/main/archives/write.ts'
import { openAuditSession, openPlannedSession } from '../../../src/main/database/database.ts'
import type { Database } from '../../../src/main/database/opened.ts'
import { readSealingKeys, sealSigner } from '../../../src/main/database/sealing-keys.ts'
import { otherServers, seePlacement } from '../../../src/main/database/servers.ts'
import { DatabaseUnavailable } from '../../../src/platform/db.ts'
import type { Signer } from '../../../src/platform/signing.ts'
import { openBookProofs } from '../../../src/workers/sweeps/prove-books.ts'
import { sealed } from '../../rig/sealed.ts'
import { EAST } from '../../rig/servers/other-server.ts'
import { openUnheardMoves } from '../../rig/servers/unheard-move.ts'
import { type Caller, openWorld, type World } from '../../world.ts'

let world: World
let signer: Signer
let moves: Awaited<ReturnType<typeof openUnheardMoves>>
beforeAll(async () => {
  world = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
  signer = sealSigner(readSealingKeys(world.config.sealingKeys, world.config.dataDir))
  moves = await openUnheardMoves(world)
})
afterAll(async () => {
  await moves.close()
  await world.stop()
})

/** An account whose history is sealed. */
async function sealedOn(lane: number): Promise<Caller> {
  const caller = await world.newCaller({ lane })
  await caller.draft()
  await sealed(world, caller)
  return caller
}

/** What a process has seen of where the lanes are, now and no more. */
async function seenNow({ others, ...home }: Database): Promise<Database> {
  if (!others) throw new Error('the world has no second server')
  const database = { ...home, others: otherServers(others.servers) }
  await seePlacement(database)
  return database
}

/** The lane has gone, and home says so only when the move ends, a moment later. */
async function movesHome(lane: number): Promise<{ readonly ended: Promise<void> }> {
  await moves.moveHome(lane)
  const say = async (text: string) => void (await world.sql(text))
  await say(`insert into lane_servers (server, lane) values ('east', ${lane})`)
  await say(`insert into lane_moves (id, lane, from_server, to_server, state)
             values (gen_random_uuid(), ${lane}, 'east', 'home', 'decided')`)
  const end = async () => {
    await sleep(1500)
    await say(`update lane_servers set server = 'home' where lane = ${lane}`)
    await say(`update lane_moves set state = 'moved', ended_at = now() where lane = ${lane}`)
  }
  return { ended: end() }
}

test('a lane that moves while the books are proved is proved where it has come to', async () => {
  const caller = await sealedOn(200)
  const database = await seenNow(world.operators)
  const auditor = openAuditSession(database)
  const since = await listHeads(auditor)
  const asked = { onLane: () => undefined, sealKeys: signer, since, lanes: [200] }
  const { ended } = await movesHome(200)
  await expect(verifyBooksBy([auditor], asked)).rejects.toThrow(DatabaseUnavailable)
  const verdict = await verifyBooksBy([auditor], { ...asked, seePlaces: () => seePlacement(database) })
  await ended
  await auditor.close()
  expect(verdict).toMatchObject({ findings: [], seals: 1 })
  expect(verdict.counts.wallets).toBe(caller.account.wallets.length)
})

test('a lane that moves while archives are written ends them for nobody', async () => {
  const [mover, stays] = [await sealedOn(201), await sealedOn(203)]
  const database = await seenNow(world.operators)
  const session = openPlannedSession(database)
  const into = mkdtempSync(join(tmpdir(), 'gateway-moved-archive-'))
  const archived = () =>
    writeArchives(session, {
      into,
      before: '9999-01-01T00:00:00.000Z',
      accountId: null,
      keys: signer,
      onAccount: () => undefined,
      seePlaces: () => seePlacement(database),
    })
  await archived()
  for (const caller of [mover, stays]) {
    await caller.draft()
    await sealed(world, caller)
  }
  const { ended } = await movesHome(201)
  const written = await archived()
  await ended
  await session.close()
  rmSync(into, { recursive: true })
  expect(written).toMatchObject({ files: 2, doubts: [] })
})

test('a gateway that hears of no move finds no broken chain where its lane was, and does not take it for proved', async () => {
  await sealedOn(202)
  const session = openAuditSession(await seenNow(world.database))
  const found: unknown[] = []
  let nowMs = 1
  const proofs = openBookProofs({
    session,
    sealKeys: signer,
    ownLanes: () => [202],
    monotonicMs: () => nowMs,
    onFinding: (finding) => found.push(finding),
  })
  await proofs.round()
  const { ended } = await movesHome(202)
  nowMs += 86_400_000
  await expect(proofs.round()).rejects.toThrow(DatabaseUnavailable)
  await ended
  expect(found).toEqual([])
  expect([proofs.brokenChains(), proofs.oldestSeconds()]).toEqual([0, 86_400])
  await session.close()
})
