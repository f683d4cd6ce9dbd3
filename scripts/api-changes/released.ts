// The surface of the last release as a file, and what the changelog says of breaking it.
import type { Change } from './shapes.ts'
import type { Surface } from './surface.ts'

export const RELEASED = 'docs/released/api.json'

/** What was released: the version of the package, and what callers of it depend on. */
export type Released = { readonly release: string; readonly surface: Surface }

/** One line for each operation, event and shape: a diff names what it changes. */
export function releasedText({ release, surface }: Released): string {
  const lines = (part: Readonly<Record<string, unknown>>) =>
    Object.entries(part)
      .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n')
  const { version, operations, events, schemas } = surface
  const parts = Object.entries({ operations, events, schemas }).map(([name, part]) => `"${name}": {\n${lines(part)}\n}`)
  const head = `"release": ${JSON.stringify(release)},\n"surface": {\n"version": ${JSON.stringify(version)}`
  return `{\n${head},\n${parts.join(',\n')}\n}\n}\n`
}

/** What breaks callers and is named nowhere: neither by a new version of the API nor in the changelog. */
export function unnamed(changes: readonly Change[], changelog: string): Change[] {
  const named = breakingOf(changelog)
  return changes.filter(({ breaks, subject }) => breaks && !named.includes(`\`${subject}\``))
}

/** The part `### Breaking` of what is not released yet. */
function breakingOf(changelog: string): string {
  const [, unreleased = ''] = /^## \[Unreleased\]\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(changelog) ?? []
  const [, breaking = ''] = /^### Breaking\n(.*?)(?=^### |$(?![\s\S]))/ms.exec(unreleased) ?? []
  return breaking
}
