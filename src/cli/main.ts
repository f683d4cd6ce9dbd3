// The words of a command line -> command -> exit code: 0 done, 1 failed, 2 used or configured wrongly.
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { packageFile } from '../main/package-file.ts'
import { CommandFailed, Misused } from './arguments.ts'
import type { Explained } from './faults.ts'
import { printJson } from './output.ts'

export const FAILED = 1
const MISUSED = 2

/** In the order of the help. Each is loaded when it is asked for: a command takes half as long to start that way. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).start,
  demo: async () => (await import('./demo/demo.ts')).demo,
  transfers: async () => (await import('./contracts/transfers.ts')).transfers,
  payments: async () => (await import('./contracts/payments.ts')).payments,
  profiles: async () => (await import('./profiles/profiles.ts')).profiles,
  find: async () => (await import('./resources/find.ts')).find,
  resources: async () => (await import('./resources/resources.ts')).resources,
  wallets: async () => (await import('./wallets/wallets.ts')).wallets,
  events: async () => (await import('./webhooks/events.ts')).events,
  webhooks: async () => (await import('./webhooks/webhooks.ts')).webhooks,
  listen: async () => (await import('./webhooks/listen.ts')).listen,
  trigger: async () => (await import('./webhooks/trigger.ts')).trigger,
  init: async () => (await import('./operator/init.ts')).init,
  doctor: async () => (await import('./webhooks/doctor.ts')).doctor,
  accounts: async () => (await import('./operator/accounts.ts')).accounts,
  members: async () => (await import('./members/members.ts')).members,
  audit: async () => (await import('./accounts/audit.ts')).audit,
  usage: async () => (await import('./accounts/usage.ts')).usage,
  'api-keys': async () => (await import('./accounts/api-keys.ts')).apiKeys,
  keys: async () => (await import('./operator/keys.ts')).keys,
  channels: async () => (await import('./operator/channels.ts')).channels,
  reconcile: async () => (await import('./operator/reconcile.ts')).reconcile,
  migrate: async () => (await import('./operator/migrate.ts')).migrate,
  verify: async () => (await import('./operator/verify.ts')).verify,
  bench: async () => (await import('./bench.ts')).bench,
}

/** Runs the command that the words name. One that ran and found something wrong says so by `process.exitCode`. */
export async function main(words: readonly string[]): Promise<number> {
  try {
    await (await buildProgram(words)).parseAsync(words, { from: 'user' })
    return 0
  } catch (fault) {
    return failed(fault, words.includes('--json'))
  }
}

async function buildProgram(words: readonly string[]): Promise<Command> {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  const program = new Command('gateway')
    .description('A gateway for money contracts: draft, issue, pay, and the money moves exactly once or comes back.')
    .version(version)
    .addHelpText(
      'after',
      '\nFirst steps:\n  $ gateway start\n  $ gateway demo        (in another terminal)\n\nSettings come from the environment; README.md lists them.',
    )
  for (const load of wanted(words[0] ?? '')) program.addCommand(await load())
  return throwing(program)
}

/** The command that is named; all of them for help, and for a name that is none. */
function wanted(name: string): readonly (() => Promise<Command>)[] {
  const named = COMMANDS[name]
  return named ? [named] : Object.values(COMMANDS)
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

async function failed(fault: unknown, isJson: boolean): Promise<number> {
  // Help and version were asked for, and printed.
  if (fault instanceof CommanderError) return fault.exitCode === 0 ? 0 : MISUSED
  if (fault instanceof Misused) {
    process.stderr.write(`error: ${fault.message}\n`)
    return MISUSED
  }
  const { code, message, details } = await explained(fault)
  if (isJson) printJson({ error: details ?? { code, message } })
  else process.stderr.write(`${message}\n`)
  return code === 'misconfigured' ? MISUSED : FAILED
}
