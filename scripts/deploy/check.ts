// Every file of deploy/ before its own linter, and those that could fail to fit the gateway before it. Ends with 1 and one line for each fault; a tool that this machine lacks is
// named and skipped. Where a Docker engine answers, the image is built.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fitCaddyfile, fitCompose, fitNetworkPolicy, fitNotes } from './fits.ts'
import {
  judgeUnit,
  lintCaddyfile,
  lintCompose,
  lintDockerfile,
  lintKustomization,
  lintManifests,
  lintUnit,
  type Verdict,
} from './linters.ts'

const UNIT = 'deploy/systemd/gateway-contracts.service'
const AT_WORK = ['deploy/kubernetes/gateways.yaml', 'deploy/kubernetes-cluster/workers.yaml']
const KUBERNETES = ['deploy/kubernetes', 'deploy/kubernetes-cluster']

const text = (path: string) => readFileSync(path, 'utf8')
const verdicts: readonly (readonly [what: string, verdict: Verdict])[] = [
  ['Dockerfile', lintDockerfile(text('deploy/Dockerfile'))],
  ...['compose.yaml', 'cluster.yaml'].flatMap((file) => [
    [file, lintCompose(`deploy/compose/${file}`)] as const,
    [`${file}, who has the owner's password`, fitCompose(`deploy/compose/${file}`)] as const,
  ]),
  ['Caddyfile', lintCaddyfile('deploy/compose/Caddyfile')],
  ['Caddyfile, what it lets through', fitCaddyfile(text('deploy/compose/Caddyfile'))],
  ['network policy, where webhooks go', fitNetworkPolicy(text('deploy/kubernetes/network-policy.yaml'))],
  ...AT_WORK.map(
    (file) => [`${file}, whether its note stays`, fitNotes(text(file), text('deploy/Dockerfile'))] as const,
  ),
  ['systemd unit', lintUnit(UNIT)],
  ['systemd unit, what it leaves open', judgeUnit(UNIT)],
  ...KUBERNETES.flatMap((folder) => [
    ...readdirSync(folder)
      .filter((file) => file !== 'kustomization.yaml')
      .map((file) => [`${folder}/${file}`, lintManifests(text(`${folder}/${file}`))] as const),
    [folder, lintKustomization(folder)] as const,
  ]),
]
for (const [what, verdict] of verdicts) {
  if ('missing' in verdict) console.log(`SKIPPED: ${what}: ${verdict.missing} is not on this machine`)
  else if (verdict.faults.length === 0) console.log(`${what}: ok`)
  else {
    process.exitCode = 1
    for (const fault of verdict.faults) console.error(`${what}: ${fault}`)
  }
}
build()

function build(): void {
  if (spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 }).status !== 0) {
    console.log('SKIPPED: the image is not built: no Docker engine answers')
    return
  }
  const { status } = spawnSync('docker', ['build', '-f', 'deploy/Dockerfile', '-t', 'gateway-contracts:check', '.'], {
    stdio: 'inherit',
  })
  if (status === 0) return
  process.exitCode = 1
  console.error('the image cannot be built: see above')
}
