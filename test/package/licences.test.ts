// Whose work is shipped, and under which terms: by the lock file, and as npm's own bill of materials sees it.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { billOfMaterials } from '../../scripts/package/bill-of-materials.ts'
import { licenceFaults, type Lock, readShipped, shippedPackages } from '../../scripts/package/shipped.ts'

const release = readShipped()

test('every package that is shipped has a licence on the list', () => {
  const { shipped } = release
  expect(licenceFaults(shipped)).toEqual([])
  for (const name of ['fastify', 'pg', 'undici'])
    expect(shipped).toContainEqual(expect.objectContaining({ name, how: 'installed' }))
  for (const name of ['prom-client', 'tdigest', 'typebox', '@simplewebauthn/server'])
    expect(shipped).toContainEqual(expect.objectContaining({ name, how: 'bundled' }))
  expect(shipped.map(({ name }) => name)).not.toContain('vitest')
})

test.each([
  ['GPL-3.0-only', 1],
  ['', 1],
  ['MIT AND GPL-2.0-only', 1],
  ['(GPL-3.0-only OR MIT)', 0],
  ['(BSD-2-Clause AND MIT)', 0],
])('a package under "%s" has %i faults', (license, faults) => {
  const planted: Lock = { packages: { '': {}, 'node_modules/planted': { version: '1.0.0', license } } }
  expect(licenceFaults(shippedPackages(planted, []))).toHaveLength(faults)
})

test('a bundled package is found with what it needs, the nearest version first; one that is missing is an error', () => {
  const packages = {
    '': {},
    'node_modules/a': { version: '1.0.0', license: 'MIT', dev: true, dependencies: { b: '2' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: 'MIT', dev: true, dependencies: { c: '1' } },
    'node_modules/b': { version: '1.0.0', license: 'MIT', dev: true },
    'node_modules/c': { version: '1.0.0', license: 'MIT', dev: true },
  }
  const named = shippedPackages({ packages }, ['a/part']).map(({ name, version }) => `${name}@${version}`)
  expect(named).toEqual(['a@1.0.0', 'b@2.0.0', 'c@1.0.0'])
  expect(() => shippedPackages({ packages }, ['absent'])).toThrow('absent')
})

test('the bill of materials names each with its licence and digest, and all that npm names', () => {
  const { components } = billOfMaterials(release)
  expect(new Set(components.map((each) => each['bom-ref'])).size).toBe(components.length)
  for (const { licenses, hashes } of components) {
    expect(licenses).toHaveLength(1)
    expect(hashes?.[0]?.content).toMatch(/^([0-9a-f]{40}|[0-9a-f]{128})$/)
  }
  const printed = execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only', '--offline'],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const npms = (JSON.parse(printed) as { components: { purl: string }[] }).components.map(({ purl }) => purl)
  expect(npms.length).toBeGreaterThan(50)
  const ours = new Set(components.map(({ purl }) => purl))
  expect(npms.filter((purl) => !ours.has(purl))).toEqual([])
})
