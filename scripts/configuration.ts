// Makes docs/configuration.md: the settings as they are declared, with the defaults and limits that their readers ask for.
import { readCommandLine } from '../src/main/config/command-line.ts'
import { configOf } from '../src/main/config/config.ts'
import type { Env } from '../src/main/config/environment.ts'
import { REQUIREMENTS } from '../src/main/config/production.ts'
import { SETTING_GROUPS } from '../src/main/config/settings.ts'
import { settleGenerated } from './generated.ts'

type Declared = {
  readonly what: string
  readonly fallback?: string
  readonly unset?: string
  readonly unit?: string
  readonly mode?: string
}
type Asked = { readonly fallback: string | number; readonly form: string }

const groups: [string, [string, Declared][]][] = Object.entries(SETTING_GROUPS).map(([title, group]) => [
  title,
  Object.entries<Declared>(group),
])
const asked = new Map<string, Asked>()
const read = new Set<string>()

const declared = groups.flatMap(([, group]) => group.map(([name]) => name))

// Some are read only where another is set, or is not: with none of them, with each alone, and with all.
const settings = [[], declared, ...declared.map((name) => [name])]
for (const set of settings) {
  // A word that hardly any can take: what is wrong with it is of no matter here.
  const env = new Proxy<Env>(
    {},
    { get: (_, name) => noted(String(name), set.includes(String(name)) ? 'x' : undefined) },
  )
  configOf([], env, (name, fallback, form) => asked.set(name, { fallback, form }))
  readCommandLine(env)
}
const strangers = [...read].filter((name) => !declared.includes(name))
const unread = declared.filter((name) => !read.has(name))
if (strangers.length > 0) throw new Error(`read, and not declared in settings.ts: ${strangers.join(', ')}`)
if (unread.length > 0) throw new Error(`declared in settings.ts, and never read: ${unread.join(', ')}`)

const needed = new Set(REQUIREMENTS.map(({ setting }) => setting))

function noted(name: string, word: string | undefined): string | undefined {
  read.add(name)
  return word
}

function rowOf([name, setting]: [string, Declared]): string {
  const { what, fallback, unset, unit, mode } = setting
  const { form, fallback: number } = asked.get(name) ?? {}
  const value = fallback ?? number
  const said = unset ?? (value === undefined ? 'none' : `\`${value}\`${unit === undefined ? '' : ` ${unit}`}`)
  const limits = form === undefined ? '' : ` (${form})`
  const where = mode === undefined ? (needed.has(name) ? 'both; production looks at it' : 'both') : mode
  return `| \`${name}\` | ${said} | ${what}${limits} | ${where} |`
}

const chapters = groups.map(
  ([title, group]) => `## ${title}

| variable | without it | what it is | mode |
|---|---|---|---|
${group.map(rowOf).join('\n')}
`,
)

settleGenerated([
  {
    path: 'docs/configuration.md',
    text: `# Configuration

Made from \`src/main/config/\` by \`npm run generate\`. Settings are read once from the environment when the gateway starts; all faults are
reported together, each with the name of its setting. What production needs is in [Go live](guides/go-live.md).

${chapters.join('\n')}
The command line heeds \`NO_COLOR\`, too.
`,
  },
])
