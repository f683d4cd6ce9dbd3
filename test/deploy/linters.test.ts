// What the linters of deploy/ find: nothing in the files as they are, and each fault that is planted in them.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  ['kubernetes/gateways.yaml', 'readinessProbe:', 'readynessProbe:', /no field .*\/readynessProbe/],
  ['kubernetes/gateways.yaml', 'replicas: 2', 'replicas: two', /replicas/],
  ['kubernetes/service.yaml', 'kind: Service', 'kind: Servise', /knows no Servise in v1/],
  ['kubernetes-cluster/workers.yaml', 'livenessProbe:', 'liveProbe:', /no field .*\/liveProbe/],
  ['kubernetes/network-policy.yaml', 'podSelector:', 'podSelektor:', /podSelektor|podSelector/],
])('Kubernetes: in %s, %s put as %s is found', (file, part, other, fault) => {
  const text = read(file)
  expect(linters.lintManifests(text)).toEqual({ faults: [] })
  expect(text).toContain(part)
  expect(linters.lintManifests(text.replace(part, other))).toMatchObject({
    faults: expect.arrayContaining([expect.stringMatching(fault)]),
  })
})

test.each([
  ['compose.yaml', /services\/gateway.*additional properties/],
  ['cluster.yaml', /services\/(gateway|coordinator).*additional properties/],
])('Compose: a misspelt key in %s is found', (file, fault) => {
  const whole = linters.lintCompose(`deploy/compose/${file}`)
  expect(whole).toEqual({ faults: [] })
  const path = planted(`compose/${file}`, 'stop_grace_period: 30s', 'stop_grace: 30s')
  expect(linters.lintCompose(path)).toMatchObject({ faults: expect.arrayContaining([expect.stringMatching(fault)]) })
})

test('kustomize: a file that is named and is not there is found', (context) => {
  expect(faultsOf(linters.lintKustomization('deploy/kubernetes-cluster'), context)).toBe('')
  cpSync('deploy', folder, { recursive: true })
  const list = join(folder, 'kubernetes-cluster', 'kustomization.yaml')
  writeFileSync(list, readFileSync(list, 'utf8').replace('- workers.yaml', '- worker.yaml'))
  expect(faultsOf(linters.lintKustomization(join(folder, 'kubernetes-cluster')), context)).toMatch(/worker\.yaml/)
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
