// What the linters of deploy/ find: nothing in the files as they are, and each fault that is planted in them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, type TestContext } from 'vitest'
import * as linters from '../../scripts/deploy/linters.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (path: string) => readFileSync(`deploy/${path}`, 'utf8')

/** A file with a part of it put otherwise, where a linter that takes a path finds it. */
function planted(path: string, part: string, other: string): string {
  const text = read(path)
  if (!text.includes(part)) throw new Error(`${path} has no ${part}`)
  const place = join(folder, path.split('/').at(-1) ?? '')
  writeFileSync(place, text.replace(part, other))
  return place
}

function faultsOf(verdict: linters.Verdict, { skip }: TestContext): string {
  if ('missing' in verdict) return skip(`SKIPPED: ${verdict.missing} is not on this machine`)
  return verdict.faults.join('\n')
}

test.each<[string, string, RegExp]>([
  ['USER 1000:1000', 'USER root', /runs as root/],
  ['HEALTHCHECK --interval', 'ONBUILD HEALTHCHECK --interval', /no HEALTHCHECK/],
  ['ENTRYPOINT [', 'ENTRYPIONT [', /ENTRYPIONT/],
  ['FROM node:20.20.2-bookworm-slim AS build', 'FROM node:latest AS build', /node:latest: name a version/],
])('Dockerfile: %s put as %s is found', (part, other, fault) => {
  const text = read('Dockerfile')
  expect(linters.lintDockerfile(text)).toEqual({ faults: [] })
  expect(text).toContain(part)
  expect(linters.lintDockerfile(text.replace(part, other))).toMatchObject({
    faults: expect.arrayContaining([expect.stringMatching(fault)]),
  })
})

test.each<[string, string, string, RegExp]>([
  ['deployment.yaml', 'readinessProbe:', 'readynessProbe:', /no field .*\/readynessProbe/],
  ['deployment.yaml', 'replicas: 2', 'replicas: two', /replicas/],
  ['service.yaml', 'kind: Service', 'kind: Servise', /knows no Servise in v1/],
  ['network-policy.yaml', 'podSelector:', 'podSelektor:', /podSelektor|podSelector/],
])('Kubernetes: in %s, %s put as %s is found', (file, part, other, fault) => {
  const text = read(`kubernetes/${file}`)
  expect(linters.lintManifests(text)).toEqual({ faults: [] })
  expect(text).toContain(part)
  expect(linters.lintManifests(text.replace(part, other))).toMatchObject({
    faults: expect.arrayContaining([expect.stringMatching(fault)]),
  })
})

test('Compose: a misspelt key is found', (context) => {
  const whole = linters.lintCompose('deploy/compose/compose.yaml')
  expect(faultsOf(whole, context)).toBe('')
  const path = planted('compose/compose.yaml', 'stop_grace_period: 30s', 'stop_grace: 30s')
  expect(faultsOf(linters.lintCompose(path), context)).toMatch(/services\/gateway.*additional properties/)
})

test('systemd: a program that is not there, and a unit that leaves the machine open, are found', (context) => {
  const unit = 'systemd/gateway-contracts.service'
  const missing = planted(unit, 'ExecStart=/usr/bin/node', 'ExecStart=/usr/bin/nodde')
  expect(faultsOf(linters.lintUnit(missing), context)).toMatch(/nodde/)
  const open = planted(unit, 'ProtectSystem=strict', 'ProtectSystem=no\nCapabilityBoundingSet=~\nPrivateDevices=no')
  expect(faultsOf(linters.judgeUnit(open), context)).toMatch(/exposure/i)
})

test('Caddy: a directive of no name is found', (context) => {
  const path = planted('compose/Caddyfile', 'reverse_proxy gateway:3000', 'reverse_proxi gateway:3000')
  expect(faultsOf(linters.lintCaddyfile(path), context)).toMatch(/reverse_proxi/)
})
