// Which backups stay: the newest of these books, with the log that they need, and whatever belongs to others.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepNewest } from '../../src/main/backups/keep.ts'
import { backupId, findBackup, listBackups, type Manifest, writeManifest } from '../../src/main/backups/manifest.ts'
import { readConfig } from '../../src/main/config/config.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gateway-keep-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const OURS = '11111111-0000-4000-8000-000000000000'
const OTHERS = '22222222-0000-4000-8000-000000000000'
const segment = (number: number) => `00000001000000000000000${number}`

function made(installationId: string, day: number, start: number): string {
  const at = new Date(Date.UTC(2026, 10, day))
  const id = backupId(at.getTime(), installationId)
  const place = { position: '0/0', file: segment(start) }
  const manifest: Manifest = {
    format: 1,
    id,
    gateway_version: '0.1.0',
    postgres_version: '18.4',
    schema_version: 1,
    installation_id: installationId,
    epoch: 1,
    system_id: '77',
    started_at: at.toISOString(),
    finished_at: at.toISOString(),
    start: place,
    stop: place,
    sealing_keys: [],
    directories: [],
    files: [],
  }
  mkdirSync(join(directory, id))
  writeManifest(join(directory, id), manifest)
  return id
}

test('the newest stay, with the log that they need; others’ stay, too', () => {
  const [first, second, third] = [made(OURS, 1, 2), made(OURS, 2, 4), made(OURS, 3, 6)]
  const other = made(OTHERS, 1, 1)
  const archive = join(directory, 'wal', '77')
  mkdirSync(archive, { recursive: true })
  for (const number of [1, 2, 3, 4, 5, 6]) writeFileSync(join(archive, `${segment(number)}.gz`), '')
  writeFileSync(join(archive, '00000002.history.gz'), '')
  expect(keepNewest(directory, OURS, 2)).toEqual([first])
  expect(listBackups(directory).map(({ manifest }) => manifest.id)).toEqual([third, second, other])
  expect(readdirSync(archive).toSorted()).toEqual([
    ...[4, 5, 6].map((number) => `${segment(number)}.gz`),
    '00000002.history.gz',
  ])
  expect(findBackup(directory, undefined).manifest.id).toBe(third)
  expect(keepNewest(directory, OURS, 7)).toEqual([])
})

test('a backup that is not there, or is no backup, is refused with what to do', () => {
  expect(() => findBackup(directory, '20260101T000000Z-11111111')).toThrow(/gateway backup list/)
  expect(() => findBackup(directory, '../wal')).toThrow(/no id of a backup/)
})

test.each([
  [{ GATEWAY_DATA_DIR: '/srv/gateway', GATEWAY_BACKUP_DIR: '/srv/gateway/backups' }, /must not be in GATEWAY_DATA_DIR/],
  [{ GATEWAY_BACKUP_DIR: '/backups', DATABASE_URL: 'postgres://127.0.0.1/x' }, /for the embedded database/],
  [{ GATEWAY_BACKUP_EVERY: '0' }, /GATEWAY_BACKUP_EVERY must be/],
])('%j is refused', (env, why) => {
  expect(() => readConfig(env)).toThrow(why)
})
