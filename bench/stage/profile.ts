// Reads a processor profile (the format of Chrome's DevTools) and finds which functions took the time themselves.
import { readFileSync } from 'node:fs'

type Profile = {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export type SelfTime = { readonly function: string; readonly share: number }

/** The functions with the most time of their own, as shares of the time that was not idle. */
export function topSelfTimes(path: string, count: number): SelfTime[] {
  const profile = JSON.parse(readFileSync(path, 'utf8')) as Profile
  const names = new Map(profile.nodes.map((node) => [node.id, nameOf(node.callFrame)]))
  const times = new Map<string, number>()
  profile.samples.forEach((node, i) => {
    const name = names.get(node) ?? '(unknown)'
    times.set(name, (times.get(name) ?? 0) + (profile.timeDeltas[i] ?? 0))
  })
  times.delete('(idle)')
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  const sorted = [...times].toSorted(([, a], [, b]) => b - a).slice(0, count)
  return sorted.map(([name, time]) => ({ function: name, share: time / total }))
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)'
  if (url === '') return name
  const place = url.replace(/^.*\/(dist\/src|node_modules)\//, '')
  return `${name} ${place}:${lineNumber + 1}`
}
