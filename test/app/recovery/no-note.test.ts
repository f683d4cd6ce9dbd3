// A start without any note on books that were worked with: nobody can tell whether they came back older, and that is said.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Mark } from '../../../src/domain/recovery/epoch.ts'
import { openMarkFiles } from '../../../src/main/database/mark.ts'
import { examineProduction, type Finding } from '../../../src/main/operator/production-exam.ts'
import { openMarkedWorld } from '../../rig/restored/marked-world.ts'
import { urlOf, type World } from '../../world.ts'

function openLines() {
  const lines: string[] = []
  const log = pino({}, { write: (line) => lines.push((JSON.parse(line) as { msg: string }).msg) })
  return { log, warned: () => lines.splice(0).filter((line) => line.startsWith('no note of the database')).length }
}

test('a start on a database that was worked with says so where no note of it is here', async () => {
  const { world, marks, open } = await openMarkedWorld()
  const { log, warned } = openLines()
  const newDirectory = mkdtempSync(join(tmpdir(), 'gateway-no-note-'))
  onTestFinished(() => rmSync(newDirectory, { recursive: true }))
  const bare = openMarkFiles([newDirectory])
  // Nobody has worked with it for long: nothing could have come back.
  await (await open({ log })).stop()
  expect(warned()).toBe(0)
  await (await open({ log })).stop()
  expect(warned()).toBe(0)
  await (await open({ log, marks: bare })).stop()
  expect(warned()).toBe(1)
  await (await open({ log, marks: bare })).stop()
  expect(warned()).toBe(0)
  // One that is in recovery moves no money, and says why.
  await world.sql(`insert into epochs (number, reason) values (2, 'declared')`)
  await (await open({ log, marks: { ...marks, read: (): readonly Mark[] => [] } })).stop()
  expect(warned()).toBe(0)
})

async function foundBy({ config, database }: World, dataDir: string): Promise<Finding | undefined> {
  const asked = { ...config, databaseUrl: urlOf(database.login as pg.ClientConfig), dataDir, markDir: null }
  const findings: Finding[] = []
  for await (const each of examineProduction(asked, [])) findings.push(each)
  return findings.find(({ check }) => check === 'note of the database')
}

test('the doctor says whether there is a note, and what to do where there is none', async () => {
  const { world, open, placeNow } = await openMarkedWorld()
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-no-note-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  expect(await foundBy(world, dataDir)).toMatchObject({ grade: 'pass', said: expect.stringMatching(/^none yet/) })
  await (await open()).stop()
  expect(await foundBy(world, dataDir)).toMatchObject({
    grade: 'warn',
    said: expect.stringContaining(dataDir),
    mend: expect.stringContaining('gateway recovery begin'),
  })
  await (await open({ marks: openMarkFiles([dataDir]) })).stop()
  expect(await foundBy(world, dataDir)).toMatchObject({ grade: 'pass', said: `in ${dataDir}` })
  writeFileSync(join(dataDir, `mark-${(await placeNow()).installationId}.json`), 'half a note')
  expect(await foundBy(world, dataDir)).toMatchObject({ grade: 'fail' })
})
