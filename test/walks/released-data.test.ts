// npm run release:data: what is kept of this release is made by a run of a real gateway, into test/released/ and its version.
// Otherwise it is made into a folder of the test's own, so that it is known before a release that it can be made.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeReleased } from '../rig/released/make.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

test('the data of this release can be made', { timeout: 600_000 }, async () => {
  const aside = process.env['RELEASE_DATA'] === undefined ? mkdtempSync(join(tmpdir(), 'gateway-released-')) : null
  const folder = aside ?? process.env['RELEASE_DATA'] ?? ''
  try {
    await makeReleased(version, folder)
    expect(readFileSync(join(folder, 'data.sql'), 'utf8')).toContain('insert into "contracts"')
  } finally {
    if (aside !== null) rmSync(aside, { recursive: true })
  }
})
