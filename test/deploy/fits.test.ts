// Whether deploy/ fits the gateway: what its files say, with each misfit planted, and every spelling of an address that stays inside.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import * as fits from '../../scripts/deploy/fits.ts'
import { BODY_BYTES_MAX } from '../../src/http/request/sizes.ts'
import { openWorld } from '../world.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-fits-'))
const world = await openWorld()
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.stop()
})

const read = (path: string) => readFileSync(`deploy/${path}`, 'utf8')

function put(text: string, part: string, other: string): string {
  expect(text).toContain(part)
  return text.replace(part, other)
}

test.each([
  ['max_size 4MiB', 'max_size 4MB', 'max_size 4MB: the gateway takes bodies of 4194304 bytes'],
  ['max_size 4MiB', 'max_size 256KB', 'max_size 256KB: the gateway takes bodies of 4194304 bytes'],
  [' /readyz/*', '', '@inside lacks /readyz/*: it is reached from outside'],
  [' /metrics/*', '', '@inside lacks /metrics/*: it is reached from outside'],
])('Caddyfile: %s put as “%s” is found', (part, other, fault) => {
  const text = read('compose/Caddyfile')
  expect(fits.fitCaddyfile(text)).toEqual({ faults: [] })
  expect(fits.fitCaddyfile(put(text, part, other))).toEqual({ faults: [fault] })
})

test.each([
  ['compose.yaml', 'gateway', '      - gateway.env', '      - .env', 'its env_file .env hands it POSTGRES_PASSWORD'],
  ['cluster.yaml', 'gateway', '      - gateway.env', '      - .env', 'its env_file .env hands it POSTGRES_PASSWORD'],
  [
    'compose.yaml',
    'gateway',
    'gateway_app:${GATEWAY_DATABASE_PASSWORD:?',
    'postgres:${POSTGRES_PASSWORD:?',
    'its DATABASE_URL is or holds POSTGRES_PASSWORD',
  ],
  [
    'compose.yaml',
    'caddy',
    'GATEWAY_DOMAIN: ${GATEWAY_DOMAIN:?',
    'GATEWAY_DOMAIN: ${POSTGRES_PASSWORD:?',
    'its GATEWAY_DOMAIN is or holds POSTGRES_PASSWORD',
  ],
])('Compose: in %s, %s is not handed the password of the owner', (file, service, part, other, fault) => {
  expect(fits.fitCompose(`deploy/compose/${file}`)).toEqual({ faults: [] })
  cpSync('deploy/compose', folder, { recursive: true })
  writeFileSync(join(folder, file), put(read(`compose/${file}`), part, other))
  expect(fits.fitCompose(join(folder, file))).toEqual({ faults: [`${service}: ${fault}`] })
})

test('Kubernetes: webhooks go out on each port that receivers may have', () => {
  const text = read('kubernetes/network-policy.yaml')
  expect(fits.fitNetworkPolicy(text)).toEqual({ faults: [] })
  expect(fits.fitNetworkPolicy(put(text, 'port: 8443', 'port: 8444'))).toEqual({
    faults: ['egress lacks port 8443, which receivers of webhooks may have'],
  })
})

describe.each([
  ['kubernetes/gateways.yaml', 'gateway'],
  ['kubernetes-cluster/workers.yaml', 'gateway-worker'],
])('Kubernetes: the note of the database that %s keeps outlives a pod', (file, name) => {
  const dockerfile = read('Dockerfile')
  const goes = `StatefulSet ${name}: the note in /var/lib/gateway goes with its pod: give each a volumeClaimTemplate`

  test.each([
    ['  volumeClaimTemplates:\n    - metadata:', '      volumes:\n        - emptyDir: {}', goes],
    ['mountPath: /var/lib/gateway', 'mountPath: /var/lib/other', goes],
    [
      'whenScaled: Retain',
      'whenScaled: Delete',
      `StatefulSet ${name}: whenScaled: Delete takes the notes away before a restore`,
    ],
  ])('“%s” put as “%s” is found', (part, other, fault) => {
    const text = read(file)
    expect(fits.fitNotes(text, dockerfile)).toEqual({ faults: [] })
    expect(fits.fitNotes(put(text, part, other), dockerfile)).toEqual({ faults: [fault] })
  })

  test('a Deployment, whose pods are all new after a restore, has none', () => {
    const [head = ''] = read(file).split('  volumeClaimTemplates:')
    const text = `${put(head, 'kind: StatefulSet', 'kind: Deployment')}      volumes:\n        - name: data\n          emptyDir: {}\n`
    expect(fits.fitNotes(text, dockerfile)).toEqual({ faults: [goes.replace('StatefulSet', 'Deployment')] })
  })
})

test('the manual names every size of a body', () => {
  const inWords = (bytes: number) => (bytes < 1_048_576 ? `${bytes / 1024} KiB` : `${bytes / 1_048_576} MiB`)
  const manual = readFileSync('docs/operating.md', 'utf8')
  const bodies = /bodies of [^.]*\./.exec(manual)?.[0]
  for (const bytes of Object.values(BODY_BYTES_MAX)) expect(bodies).toContain(inWords(bytes))
})

/**
 * Caddy's path matcher (modules/caddyhttp/matchers.go): the decoded path, in lower case, without dots and spaces at its end, cleaned of
 * dots and doubled slashes. Caddy itself is not on every machine that runs this.
 */
function isKeptInside(target: string, patterns: readonly string[]): boolean {
  const decoded = decodeURIComponent(target.replace(/\?.*$/s, ''))
  const path = posix.normalize(decoded.toLowerCase().replace(/[. ]+$/, ''))
  return patterns.some((pattern) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern))
}

const SPELLINGS = ['PATH', 'PATH?a=1', 'PATH/', 'PATH//', 'PATH/?a=1', 'PATH%2F', 'PATH/%2F', 'PATH;a=1', 'PATH/.']
const OTHERS = ['/PATH', '/./PATH', '/x/../PATH', '/%2e/PATH', 'PATH.', 'PATH%20', 'PATH%00', 'PATH%23']

test('however /readyz and /metrics are spelled, what the gateway answers is kept inside', async () => {
  const { hostname, port } = new URL(await world.listen())
  const statusOf = (path: string) =>
    new Promise<number>((resolve, reject) => {
      const asked = request({ hostname, port, path }, (reply) => resolve(reply.resume().statusCode ?? 0))
      asked.once('error', reject).end()
    })
  const patterns = fits.keptInside(read('compose/Caddyfile'))
  const encoded = (path: string) => `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`
  const spelled = ['/readyz', '/metrics'].flatMap((path) =>
    [path, path.toUpperCase(), encoded(path)].flatMap((each) =>
      [...SPELLINGS, ...OTHERS].map((spelling) => spelling.replace('PATH', each)),
    ),
  )
  const answered: string[] = []
  for (const target of spelled) if ((await statusOf(target)) !== 404) answered.push(target)
  expect(answered).toEqual(expect.arrayContaining(['/readyz', '/readyz/', '/%72eadyz//', '/metrics/?a=1']))
  expect(answered.filter((target) => !isKeptInside(target, patterns))).toEqual([])
})
