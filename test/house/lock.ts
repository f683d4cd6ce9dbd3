// The lock file holds what it promises to every platform: npm ci refuses one that lacks a package, and npm leaves those of
// other platforms out when it writes the file beside installed packages.
import type { Check } from './source.ts'

type Locked = Readonly<Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>> | undefined>>

/** Every dependency of every package in a lock file that the file itself does not hold. */
export const lockGaps: Check = (files) =>
  files.flatMap(({ path, text }) => {
    const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Locked>> }
    return Object.entries(packages).flatMap(([place, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !places(place, name).some((each) => packages[each] !== undefined))
        .map(
          (name) =>
            `${path}: ${place || 'the project'} needs ${name}, which is missing. Write it anew where no node_modules are (npm install --package-lock-only)`,
        ),
    )
  })

/** Where a package finds another one: beside it, and beside each folder above. */
function places(place: string, name: string): string[] {
  const found = [`${place}/node_modules/${name}`]
  for (let end = place.lastIndexOf('node_modules/'); end > 0; end = place.lastIndexOf('node_modules/', end - 1))
    found.push(`${place.slice(0, end)}node_modules/${name}`)
  return [...found, `node_modules/${name}`]
}
