// Makes docs/cli.md from the commands as they are declared: each with its words, its options and examples.
import type { Command } from 'commander'
import { COMMANDS, GROUPS } from '../src/cli/commands.ts'
import { settleGenerated } from './generated.ts'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;')

function pageOf(command: Command, before: string): string[] {
  const name = `${before} ${command.name()}`
  const inner = command.commands.flatMap((each) => pageOf(each, name))
  if (command.commands.length > 0) return inner
  return [
    `### ${name.slice(1)}`,
    '',
    `${sentence(command.description())}`,
    '',
    '```',
    ['gateway', name.slice(1), ...command.registeredArguments.map((each) => wordOf(each)), '[options]'].join(' '),
    '```',
    '',
    ...tableOf(command),
    ...examplesOf(command),
  ]
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replaceAll('<', '&lt;')

type Argument = Command['registeredArguments'][number]
const wordOf = (each: Argument) => (each.required ? `<${each.name()}>` : `[${each.name()}]`)

/** What every command takes is said once. */
const COMMON = ['--json', '--utc', '--url', '--api-key', '--use', '--yes']

function tableOf(command: Command): string[] {
  const rows = [
    ...command.registeredArguments.map((each) => [wordOf(each), each.description]),
    ...command.options
      .filter(({ long }) => long === '--url' || !COMMON.includes(long ?? ''))
      .filter(({ long, description }) => long !== '--url' || !description.startsWith('the gateway (default'))
      .map((each) => [each.flags, aboutOf(each)]),
  ]
  if (rows.length === 0) return []
  return [
    '| word | what it says |',
    '|---|---|',
    ...rows.map(([word, about]) => `| \`${(word ?? '').replaceAll('|', '\\|')}\` | ${cell(about ?? '')} |`),
    '',
  ]
}

function aboutOf({ description, mandatory, argChoices, defaultValue }: Command['options'][number]): string {
  const notes = [
    mandatory ? 'required' : null,
    argChoices ? argChoices.join(', ') : null,
    defaultValue === undefined ? null : `default: ${JSON.stringify(defaultValue)}`,
  ].filter(Boolean)
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`.trim()
}

/** What the help ends with, as it stands there. */
function examplesOf(command: Command): string[] {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) })
  command.outputHelp()
  const [, ending = ''] = text.split('\nExamples:\n')
  const [examples = '', ...notes] = ending.trimEnd().split(/\n\n|\n(?! {2})/)
  return ['```text', ...examples.split('\n').map((line) => line.replace(/^ {2}(\$ )?/, '')), '```', '', ...noted(notes)]
}

const noted = (notes: readonly string[]) =>
  notes.length === 0 ? [] : [notes.join('\n').replaceAll('<', '&lt;').trim(), '']

const sections: string[] = []
for (const group of GROUPS) {
  sections.push(`## ${group}`, '')
  for (const { load } of COMMANDS.filter((each) => each.group === group)) sections.push(...pageOf(await load(), ''))
}

settleGenerated([
  {
    path: 'docs/cli.md',
    text: `# Command line

Made from \`src/cli/commands.ts\` and the commands themselves by \`npm run generate\`. \`gateway <command> --help\` says the same.

\`gateway\` is on the path after \`npm install -g gateway-contracts\`; in a clone it is \`npx gateway\`. It ends with 0 when it did what it
was asked, with 1 when it could not, and with 2 when it was asked or configured wrongly.

## Which gateway, and as whom

By options (\`--url\`, \`--api-key\`), else by the environment (\`GATEWAY_URL\`, \`GATEWAY_API_KEY\`, \`GATEWAY_PROFILE\`), else by the login in use
(\`gateway login\`, \`--use NAME\` for once), else by the \`dev.json\` of a gateway that was started in this directory. \`gateway whoami\` says
what holds and where it comes from. A key that is stored for one gateway goes to no other, and none to a \`--checkout-url\` of another
gateway than that.

## What every command takes

| word | what it says |
|---|---|
| \`--json\` | JSON in place of text: the \`data\` of the reply, or \`{"error": …}\` |
| \`--utc\` | times in UTC; without it they are of this machine's zone, which stands beside each |
| \`--yes\` | where a command moves or makes money, ends access or deletes: do it without asking. Where nobody is at a terminal it must be said |
| \`--all\`, \`--limit N\`, \`--csv\` | of lists: all pages, so many, and CSV |

An id may be given by six digits or more of its beginning or end; what several ids fit is refused, and shows them. They are looked
for among the newest 1,000.

${sections.join('\n').trimEnd()}
`,
  },
])
