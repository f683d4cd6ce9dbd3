// The first page of the help: the commands in their groups, from their table alone.
import { COMMANDS, GROUPS } from '../commands.ts'
import { paint } from '../output.ts'

const NAME_GAP = 3
const WIDTH_LEAST = 40
const WIDTH_DEFAULT = 100

/** As wide as the terminal. */
export function helpText(columns: number = process.stdout.columns ?? WIDTH_DEFAULT): string {
  const nameWidth = Math.max(...COMMANDS.map(({ name }) => name.length)) + NAME_GAP
  const aboutWidth = Math.max(columns - nameWidth - 2, WIDTH_LEAST)
  const groups = GROUPS.map((group) => {
    const listed = COMMANDS.filter((command) => command.group === group)
    const lines = listed.flatMap(({ name, about }) =>
      wrapped(about, aboutWidth).map((line, row) => `  ${(row === 0 ? name : '').padEnd(nameWidth)}${line}`),
    )
    return [paint('bold', group), ...lines].join('\n')
  })
  return [HEAD, ...groups, FOOT].join('\n\n')
}

const HEAD = `A gateway for money contracts: draft, issue, pay, and the money moves exactly once or comes back.

Usage: gateway <command> [options]`

const FOOT = `First steps:
  $ gateway start
  $ gateway demo        (in another terminal)

  gateway <command> --help     what a command takes, with examples
  gateway --version            which release this is
Every command takes --json.`

/** The words of a text in lines of at most so many characters. */
function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last === '') lines[lines.length - 1] = word
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
