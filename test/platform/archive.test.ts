// The archive of the log: which files lie between two places, and the script that copies them: durable, once, and never over
// another one.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { archiveSettings, isBefore, logFilesBetween, restoreCommand } from '../../src/platform/postgres/archive.ts'
import type { Home } from '../../src/platform/postgres/home.ts'

test('the files of the log between two places cross the numbers', () => {
  expect(logFilesBetween('0000000200000001000000FE', '000000020000000200000001')).toEqual([
    '0000000200000001000000FE',
    '0000000200000001000000FF',
    '000000020000000200000000',
    '000000020000000200000001',
  ])
  expect(logFilesBetween('000000010000000000000002', '000000010000000000000002')).toHaveLength(1)
})

test('before and after do not depend on the timeline', () => {
  expect(isBefore('000000010000000000000002', '000000020000000000000003')).toBe(true)
  expect(isBefore('000000010000000000000003', '000000020000000000000003')).toBe(false)
})

describe('the script', () => {
  let folder: string
  let home: Home
  const backups = () => join(folder, "it's 100%")
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-archive-'))
    const data = join(folder, 'postgres')
    mkdirSync(join(data, 'global'), { recursive: true })
    writeFileSync(join(data, 'global', 'pg_control'), Buffer.from('0102030405060708', 'hex'))
    home = {
      dataDir: folder,
      place: folder,
      data,
      sockets: data,
      users: folder,
      log: join(folder, 'log'),
      password: join(folder, 'password'),
      user: undefined,
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** As PostgreSQL runs a command of its settings. */
  const run = (command: string, path: string, name: string) => {
    const words = command.replaceAll(/%[%pf]/g, (found) => ({ '%%': '%', '%p': path, '%f': name })[found] ?? '')
    return spawnSync('/bin/sh', ['-c', words], { encoding: 'utf8', cwd: folder })
  }

  test('copies once, takes the same again for done, and never writes over another one', () => {
    const command = archiveSettings(home, backups())['archive_command'] ?? ''
    const source = join(folder, 'segment')
    writeFileSync(source, 'the log')
    expect(run(command, 'segment', 'A').stderr).toBe('')
    expect(run(command, 'segment', 'A').status).toBe(0)
    const [system = ''] = readdirSync(join(backups(), 'wal'))
    const place = join(backups(), 'wal', system)
    expect(readdirSync(place)).toEqual(['A.gz'])
    writeFileSync(source, 'another log')
    const refused = run(command, 'segment', 'A')
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('has another A already')])
    expect(gunzipSync(readFileSync(join(place, 'A.gz'))).toString()).toBe('the log')
    // And the way back.
    expect(run(restoreCommand([join(folder, 'none'), place]), 'back', 'A').status).toBe(0)
    expect(readFileSync(join(folder, 'back'), 'utf8')).toBe('the log')
    expect(run(restoreCommand([place]), 'back', 'B').status).toBe(1)
  })

  test('stays as it was said last, until a start says otherwise', () => {
    expect(archiveSettings(home, undefined)['archive_mode']).toBe('on')
    expect(archiveSettings(home, null)).toEqual({ archive_mode: 'off' })
    expect(archiveSettings(home, undefined)).toEqual({ archive_mode: 'off' })
  })

  test('fails where the disk of the backups is gone, and leaves nothing', () => {
    const command = archiveSettings(home, backups())['archive_command'] ?? ''
    rmSync(backups(), { recursive: true })
    expect(run(command, 'segment', 'C').status).not.toBe(0)
  })
})
