// Home comes back as it was before a lane was moved away, with its old rows of it: nothing is compared with those, and nothing goes on with
// them, before an operator has told home where the lane is.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareAll } from '../../../src/app/operator/compare.ts'
import { resume } from '../../../src/app/operator/resume.ts'
import { seePlacement } from '../../../src/main/database/servers.ts'
import { openWalletDesk, type WalletDesk } from '../../rig/restored/wallet-desk.ts'
import { connectedTo, EAST, whileAway } from '../../rig/servers/other-server.ts'
import { openUnheardMoves } from '../../rig/servers/unheard-move.ts'
import { openWorld, type World } from '../../world.ts'

const LANE = 200
const DEED = { operator: 'ana', evidence: 'ticket 4711' }

let world: World
let desk: WalletDesk
beforeAll(async () => {
  world = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
  desk = openWalletDesk(world)
  const moved = await world.newCaller({ lane: LANE })
  await moved.paid()
  const byHand = await openUnheardMoves(world)
  await byHand.copyHome(LANE)
  await byHand.close()
  // What the lane's account did since is on its new server alone.
  await moved.paid()
  await placed('home')
  await world.sql(`insert into epochs (number, reason) values (2, 'older')`)
})
afterAll(async () => {
  await desk.close()
  await world.stop()
})

/** What home says of the lane, as a gateway or a command sees it that starts. */
async function placed(server: 'home' | 'east'): Promise<void> {
  await world.sql('update lane_servers set server = $1 where lane = $2', [server, LANE])
  await seePlacement(world.operators)
}

const open = () => world.sql('select 1 from epochs where number = 2 and proposed_by is null')

test('a recovery is neither compared nor ended while home says that a lane is where its old rows are', async () => {
  const refusal = {
    code: 'lane_on_other_server',
    message: expect.stringMatching(
      /lane 200 on the server east: home says that the lane is on home.*Home from before/,
    ) as string,
  }
  expect(await compareAll(desk.deps, null, DEED)).toMatchObject(refusal)
  expect(await resume(desk.deps, DEED, ['wallet'])).toMatchObject(refusal)
  expect(await open()).toHaveLength(1)
  expect(await world.sql('select 1 from recovery_channels')).toEqual([])
})

test('once home is told where the lane is, the recovery goes on', async () => {
  await placed('east')
  await world.sql(`begin; set local session_replication_role = replica; delete from lanes where lane = ${LANE}; commit`)
  expect(await desk.compared()).toMatchObject({ channels: [{ channelId: 'wallet', state: 'complete' }] })
  expect(await resume(desk.deps, DEED)).toMatchObject({ proposedBy: 'ana' })
})

test('a server that is away keeps nobody from ending a recovery', async () => {
  const neighbour = await connectedTo(world.database.owner)
  const atHome: World['sql'] = async (text, values = []) => (await neighbour.query(text, [...values])).rows
  await whileAway(world.sqlElsewhere, atHome, async () =>
    expect(await resume(desk.deps, DEED, ['wallet'])).toMatchObject({ proposedBy: 'ana' }),
  )
  await neighbour.end()
})
