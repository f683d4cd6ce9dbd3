// Whether the files of deploy/ fit the gateway that they carry: well formed they are by their linters (linters.ts). Each check says
// what does not fit, one line a fault; none starts anything.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { BODY_BYTES_MAX } from '../../src/http/request/sizes.ts'
import { PUBLIC_PORTS } from '../../src/platform/addresses.ts'

type Fits = { readonly faults: readonly string[] }

/** What is for an operator's own network: a proxy in front answers for it with 404. */
const INSIDE = ['/metrics', '/readyz'] as const

/** What the Caddyfile keeps inside, as patterns of Caddy's path matcher. */
export const keptInside = (caddyfile: string): readonly string[] =>
  (/^\s*@inside path (.+)$/m.exec(caddyfile)?.[1] ?? '').trim().split(/\s+/)

const UNITS: Readonly<Record<string, number>> = { KB: 1000, MB: 1_000_000, KiB: 1024, MiB: 1_048_576 }

/** The proxy lets the largest body through that the gateway takes, and keeps inside what is to stay there, however it is spelled. */
export function fitCaddyfile(text: string): Fits {
  const faults: string[] = []
  const [, count = '0', unit = ''] = /^\s*max_size (\d+)(\w*)$/m.exec(text) ?? []
  const bytes = Number(count) * (UNITS[unit] ?? 1)
  const largest = Math.max(...Object.values(BODY_BYTES_MAX))
  if (bytes < largest) faults.push(`max_size ${count}${unit}: the gateway takes bodies of ${largest} bytes`)
  const kept = keptInside(text)
  // The gateway takes the same address with a slash at its end.
  for (const pattern of INSIDE.flatMap((path) => [path, `${path}/*`]))
    if (!kept.includes(pattern)) faults.push(`@inside lacks ${pattern}: it is reached from outside`)
  return { faults }
}

type Service = {
  readonly image?: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly env_file?: readonly string[]
}

/** The password of the database's owner, which no gateway that serves has (ADR 21). */
const OWNERS = 'POSTGRES_PASSWORD'
/** Files that an operator fills in -> what they are copied from. */
const FILLED: Readonly<Record<string, string>> = { '.env': 'example.env', 'gateway.env': 'gateway-example.env' }

/** The owner's password reaches the database's own servers and the job that migrates, and no other container. */
export function fitCompose(path: string): Fits {
  const folder = dirname(path)
  const { services } = parse(readFileSync(path, 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
  }
  const filled = (file: string) => namesIn(readFileSync(join(folder, FILLED[file] ?? file), 'utf8'))
  const faults = Object.entries(services).flatMap(
    ([name, { image = '', command, environment = {}, env_file = [] }]) => {
      const isGateway = image.startsWith('gateway-contracts:')
      if (isGateway ? command?.[0] === 'migrate' : environment[OWNERS] !== undefined) return []
      const handed = env_file.filter((file) => filled(file).includes(OWNERS))
      const set = Object.entries(environment).filter(([key, value]) => key === OWNERS || value.includes(`{${OWNERS}`))
      return [
        ...handed.map((file) => `${name}: its env_file ${file} hands it ${OWNERS}`),
        ...set.map(([key]) => `${name}: its ${key} is or holds ${OWNERS}`),
      ]
    },
  )
  return { faults }
}

const namesIn = (text: string) => [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name ?? '')

type Policy = {
  readonly spec: { readonly egress: readonly { readonly ports: readonly { readonly port: number }[] }[] }
}

/** Receivers of webhooks are reached on each port that the gateway lets them have. */
export function fitNetworkPolicy(text: string): Fits {
  const { egress } = (parse(text) as Policy).spec
  const open = new Set(egress.flatMap(({ ports }) => ports.map(({ port }) => port)))
  return {
    faults: [...PUBLIC_PORTS]
      .filter((port) => !open.has(port))
      .map((port) => `egress lacks port ${port}, which receivers of webhooks may have`),
  }
}

/** What the image says of GATEWAY_DATA_DIR. */
const dataDirOf = (dockerfile: string) => /\bGATEWAY_DATA_DIR=(\S+)/.exec(dockerfile)?.[1] ?? ''

type Workload = {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly template?: {
      readonly spec: {
        readonly containers: readonly {
          readonly image: string
          readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
        }[]
      }
    }
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[]
    readonly persistentVolumeClaimRetentionPolicy?: Readonly<Record<'whenScaled' | 'whenDeleted', string>>
  }
}

/**
 * What a gateway at work notes of the database (docs/recovery.md) outlives its pods: each has a claim of its own for its data directory, and
 * the claims stay where the pods are taken away, as they are for a restore.
 */
export function fitNotes(manifests: string, dockerfile: string): Fits {
  const workloads = parseAllDocuments(manifests).map((each) => each.toJS() as Workload)
  return { faults: workloads.filter(isGatewayAtWork).flatMap((each) => faultsOfNote(each, dataDirOf(dockerfile))) }
}

/** A job ends, and notes nothing. */
const isGatewayAtWork = ({ kind, spec }: Workload) =>
  kind !== 'Job' && (spec?.template?.spec.containers ?? []).some(({ image }) => image === 'gateway-contracts')

function faultsOfNote({ kind, metadata, spec }: Workload, dataDir: string): string[] {
  const mounted = (spec.template?.spec.containers ?? []).flatMap(({ volumeMounts = [] }) => volumeMounts)
  const volume = mounted.find(({ mountPath }) => mountPath === dataDir)?.name
  const claims = (spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata.name)
  const keep = spec.persistentVolumeClaimRetentionPolicy
  return [
    ...(volume !== undefined && claims.includes(volume)
      ? []
      : [`${kind} ${metadata.name}: the note in ${dataDir} goes with its pod: give each a volumeClaimTemplate`]),
    ...(['whenScaled', 'whenDeleted'] as const)
      .filter((when) => keep?.[when] === 'Delete')
      .map((when) => `${kind} ${metadata.name}: ${when}: Delete takes the notes away before a restore`),
  ]
}
