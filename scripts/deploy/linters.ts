// A linter for each kind of file in deploy/. Each says what is wrong, one line a fault, or that its tool is not on this
// machine; none builds or starts anything, or reaches a network.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { parseAllDocuments } from 'yaml'

/** `missing` names the tool that this machine lacks. */
export type Verdict = { readonly faults: readonly string[] } | { readonly missing: string }

const require = createRequire(import.meta.url)

/** By dockerfile-utils, which VS Code's Docker extension uses; and no stage may end as root. */
export function lintDockerfile(text: string): Verdict {
  const faults = validate(text).map(({ range, message }) => {
    const words = typeof message === 'string' ? message : message.value
    return `line ${range.start.line + 1}: ${words}`
  })
  const last = text.slice(text.lastIndexOf('\nFROM '))
  const user = /^USER (\S+)/m.exec(last)?.[1] ?? 'root'
  if (!/^[1-9]\d*(:\d+)?$/.test(user))
    faults.push(`the image runs as ${user}: give the number of a user that is not root`)
  if (!/^HEALTHCHECK /m.test(last)) faults.push('the image has no HEALTHCHECK')
  for (const [, image = ''] of text.matchAll(/^FROM (\S+)/gm))
    if (!/:[\w.-]*\d[\w.-]*(@sha256:[0-9a-f]{64})?$/.test(image)) faults.push(`${image}: name a version of the base`)
  return { faults }
}

// Orders of keys, in which they would stand farther from what they belong to.
const LEFT_OUT = ['service-keys-order', 'services-alphabetical-order', 'top-level-properties-order']

/** By dclint: the schema of the Compose specification, and what goes wrong with it in practice. */
export function lintCompose(path: string): Verdict {
  const words = LEFT_OUT.flatMap((rule) => ['--disable-rule', rule])
  return ran(process.execPath, [
    join(dirname(require.resolve('dclint/package.json')), 'bin/dclint.cjs'),
    path,
    '--max-warnings',
    '0',
    '--no-color',
    ...words,
  ])
}

type Manifest = {
  readonly apiVersion?: unknown
  readonly kind?: unknown
  readonly metadata?: { readonly name?: unknown }
}
type Model = new (manifest: unknown) => Record<string, unknown> & { readonly validate: () => void }

/** By the schemas of Kubernetes' own API, which know every field of every kind. */
export function lintManifests(text: string): Verdict {
  const faults: string[] = []
  for (const document of parseAllDocuments(text)) {
    faults.push(...document.errors.map(({ message }) => message))
    if (document.errors.length === 0) faults.push(...faultsOfManifest(document.toJS() as Manifest))
  }
  return { faults }
}

function faultsOfManifest(manifest: Manifest): string[] {
  const { apiVersion, kind, metadata } = manifest
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return ['a manifest without apiVersion and kind']
  const name = `${kind} ${String(metadata?.name)}`
  // The list of kubectl itself, which is no object of a cluster and is read by kubectl below.
  if (apiVersion.startsWith('kustomize.')) return []
  const model = modelsOf(apiVersion)?.[kind]
  if (model === undefined) return [`${name}: Kubernetes knows no ${kind} in ${apiVersion}`]
  const unread = new Set<string>()
  try {
    const whole = new model(manifest)
    // In place of the copies that it made of them.
    for (const [key, part] of Object.entries(manifest)) whole[key] = watched(part, `/${key}`, unread)
    whole.validate()
  } catch (fault) {
    return [`${name}: ${(fault as Error).message}`]
  }
  return [...unread].map((path) => `${name}: Kubernetes knows no field ${path}`)
}

/** The schemas let unknown fields pass, and read each that they know: what is not read is unknown. */
function watched<T>(value: T, path: string, unread: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value
  const copies = Object.entries(value).map(([key, each]) => {
    const own = `${path}/${key}`
    unread.add(own)
    return [key, watched(each, own, unread)] as const
  })
  const whole = (Array.isArray(value) ? copies.map(([, each]) => each) : Object.fromEntries(copies)) as T & object
  return new Proxy(whole, {
    get(target, key) {
      if (typeof key === 'string') unread.delete(`${path}/${key}`)
      return Reflect.get(target, key) as unknown
    },
  })
}

function modelsOf(apiVersion: string): Readonly<Record<string, Model>> | null {
  try {
    return require(`kubernetes-models/${apiVersion}`) as Record<string, Model>
  } catch (fault) {
    if (['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes((fault as NodeJS.ErrnoException).code ?? ''))
      return null
    throw fault
  }
}

/** By kubectl: that everything which the list names is there and fits together. */
export function lintKustomization(folder: string): Verdict {
  return ran('kubectl', ['kustomize', folder])
}

/** By systemd itself; a unit for a path of its own, since it wants to find the program there. */
export function lintUnit(path: string): Verdict {
  return ran('systemd-analyze', ['verify', '--man=no', path])
}

// Of 10; an unprotected service has 9.6.
const EXPOSURE_MAX = 2

/** How much of the machine a unit leaves open, by systemd's own measure. */
export function judgeUnit(path: string): Verdict {
  return ran('systemd-analyze', ['security', '--offline=true', `--threshold=${EXPOSURE_MAX * 10}`, '--no-pager', path])
}

/** By Caddy itself. */
export function lintCaddyfile(path: string): Verdict {
  return ran('caddy', ['validate', '--adapter', 'caddyfile', '--config', path], { GATEWAY_DOMAIN: 'pay.example.com' })
}

function ran(tool: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): Verdict {
  const { status, error, stdout, stderr } = spawnSync(tool, words, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return { missing: tool }
  if (error !== undefined) throw error
  if (status === 0) return { faults: [] }
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '')
  return { faults: lines.slice(-20) }
}
