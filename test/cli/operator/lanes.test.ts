// gateway lanes move: what is asked before, which is from where to where and how many accounts it is about; and whose lane is meant.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { moveQuestion } from '../../../src/cli/operator/lanes.ts'
import { EAST, urlOf } from '../../rig/servers/other-server.ts'
import { openWorld } from '../../world.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('the id of no account moves nothing, and the question is not asked', async () => {
  const world = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
  const folder = mkdtempSync(join(tmpdir(), 'gateway-lanes-'))
  let said = ''
  try {
    const east = world.database.others?.servers.get('east')?.owner
    if (!east) throw new Error('the world has no second server')
    const url = urlOf(east)
    const file = join(folder, 'lanes.json')
    writeFileSync(file, JSON.stringify({ servers: [{ name: 'east', database_url: url, owner_database_url: url }] }))
    chmodSync(file, 0o600)
    vi.stubEnv('DATABASE_URL', urlOf(world.database.owner))
    vi.stubEnv('GATEWAY_LANES_FILE', file)
    vi.stubEnv('GATEWAY_DATA_DIR', folder)
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text)
      return true
    })
    const nobody = '01900000-0000-702b-8000-000000000000'
    const words = ['lanes', 'move', '--account', nobody, '--to', 'east', '--evidence', 'a letter', '--yes']
    expect(await main(words)).toBe(1)
    expect(said).toContain(`No account has the id ${nobody}. See: gateway accounts list`)
    expect(await world.sql('select 1 from lane_moves')).toEqual([])
    expect(await main([...words, '--lane', '43'])).toBe(2)
    expect(said).toContain('Give --lane or --account, one of them.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await world.stop()
  }
})

test('a lane by itself', () => {
  const standing = { lane: 43, lanes: [43], node: 'home', accounts: 12 }
  expect(moveQuestion(standing, 'east')).toBe('Lane 43 is on home and has 12 accounts. Move it to east?')
  expect(moveQuestion({ ...standing, accounts: 1 }, 'east')).toContain('has 1 account.')
})

test('with the others of its shard', () => {
  const standing = { lane: 17, lanes: [3, 16, 17, 18], node: '10.0.0.1:5432', accounts: 40 }
  expect(moveQuestion(standing, '10.0.0.2:5432')).toBe(
    'Lane 17 is on 10.0.0.1:5432, in one shard with 3, 16, 18: 40 accounts in all. Move them to 10.0.0.2:5432?',
  )
})
