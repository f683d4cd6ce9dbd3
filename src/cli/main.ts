// The words of a command line -> command -> exit code: 0 done, 1 failed, 2 used or configured wrongly. What a command needs
// is loaded when it is run: help and version load no command.
import type { Command, CommanderError } from 'commander'
import { COMMANDS, type Listed } from './commands.ts'
import { CommandFailed, Misused } from './failures.ts'
import type { Explained } from './faults.ts'
import { print, printJson } from './output.ts'

export const FAILED = 1
const MISUSED = 2

/** Runs the command that the words name. One that ran and found something wrong says so by `process.exitCode`. */
export async function main(words: readonly string[]): Promise<number> {
  try {
    return await answer(words)
  } catch (fault) {
    return failed(fault, words.includes('--json'))
  }
}

async function answer([name = '', ...others]: readonly string[]): Promise<number> {
  if (name === '' || name === '-h' || name === '--help' || (name === 'help' && others.length === 0)) {
    const { helpText } = await import('./shell/help.ts')
    const isAsked = name !== ''
    if (isAsked) print(helpText())
    else process.stderr.write(`${helpText(process.stderr.columns)}\n`)
    return isAsked ? 0 : MISUSED
  }
  if (name === '-V' || name === '--version') {
    print(await version())
    return 0
  }
  // `gateway help transfers list` is `gateway transfers list --help`.
  const words = name === 'help' ? [...others, '--help'] : [name, ...others]
  const listed = COMMANDS.find((each) => each.name === words[0])
  if (!listed) throw await unknownCommand(words[0] ?? '')
  await (await programOf(listed)).parseAsync(words, { from: 'user' })
  return 0
}

async function version(): Promise<string> {
  const { readFileSync } = await import('node:fs')
  const { packageFile } = await import('../main/package-file.ts')
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version
}

async function unknownCommand(name: string): Promise<Misused> {
  const { nearestName } = await import('../app/contracts/nearest.ts')
  const near = nearestName(
    name,
    COMMANDS.map((each) => each.name),
  )
  const mend = near === null ? 'See: gateway --help' : `Did you mean ${near}?`
  return new Misused(`unknown command '${name}'. ${mend}`)
}

async function programOf(listed: Listed): Promise<Command> {
  const { Command } = await import('commander')
  return throwing(new Command('gateway').helpCommand(false).addCommand(await listed.load()))
}

/** Wrong use is thrown instead of ending the process, so that it ends with its own exit code. */
function throwing(command: Command): Command {
  command.exitOverride()
  for (const each of command.commands) throwing(each)
  return command
}

/** What a command says itself needs no more words; what else can go wrong is known by the parts that are loaded then. */
async function explained(fault: unknown): Promise<Explained> {
  if (fault instanceof CommandFailed) return { code: 'failed', message: fault.message, details: fault.details }
  const { explain } = await import('./faults.ts')
  return explain(fault)
}

/** By its code: to load the class for asking would load the parser for help. */
const isUsage = (fault: unknown): fault is CommanderError =>
  fault instanceof Error && 'code' in fault && String(fault.code).startsWith('commander.')

async function failed(fault: unknown, isJson: boolean): Promise<number> {
  // Help and version were asked for, and printed.
  if (isUsage(fault)) return fault.exitCode === 0 ? 0 : MISUSED
  if (fault instanceof Misused) {
    process.stderr.write(`error: ${fault.message}\n`)
    return MISUSED
  }
  const { code, message, details } = await explained(fault)
  if (isJson) printJson({ error: details ?? { code, message } })
  else process.stderr.write(`${message}\n`)
  return code === 'misconfigured' ? MISUSED : FAILED
}
