// argv -> command. Exit codes: 0 done, 1 failed, 2 used wrongly.
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { packageFile } from '../main/config.ts'
import { accountsCommand } from './accounts.ts'
import { benchCommand } from './bench.ts'
import { channelsCommand } from './channels.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { eventsCommand } from './events.ts'
import { keysCommand } from './keys.ts'
import { listenCommand } from './listen.ts'
import { migrateCommand } from './migrate.ts'
import { printJson } from './output.ts'
import { paymentsCommand } from './payments.ts'
import { reconcileCommand } from './reconcile.ts'
import { startCommand } from './start.ts'
import { transfersCommand } from './transfers.ts'
import { triggerCommand } from './trigger.ts'
import { verifyCommand } from './verify.ts'
import { webhooksCommand } from './webhooks.ts'

const FAILED = 1
const MISUSED = 2

// The reader of a pipe may leave early (gateway … | head): that is no fault.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => process.exit(fault.code === 'EPIPE' ? 0 : FAILED))

try {
  await buildProgram().parseAsync()
} catch (fault) {
  process.exitCode = await failed(fault)
}

function buildProgram(): Command {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  const program = new Command('gateway')
    .description('A gateway for money contracts: draft, issue, pay, and the money moves exactly once or comes back.')
    .version(version)
    .addHelpText(
      'after',
      '\nFirst steps:\n  $ gateway start\n  $ gateway demo        (in another terminal)\n\nSettings come from the environment; README.md lists them.',
    )
  const commands = [
    startCommand(),
    demoCommand(),
    transfersCommand(),
    paymentsCommand(),
    eventsCommand(),
    webhooksCommand(),
    listenCommand(),
    triggerCommand(),
    doctorCommand(),
    accountsCommand(),
    keysCommand(),
    channelsCommand(),
    reconcileCommand(),
    migrateCommand(),
    verifyCommand(),
    benchCommand(),
  ]
  for (const command of commands) program.addCommand(command)
  return throwing(program)
}

/** Wrong use is thrown instead of ending the process, so that it ends with its own exit code. */
function throwing(command: Command): Command {
  command.exitOverride()
  for (const each of command.commands) throwing(each)
  return command
}

async function failed(fault: unknown): Promise<number> {
  // Help and version were asked for, and printed.
  if (fault instanceof CommanderError) return fault.exitCode === 0 ? 0 : MISUSED
  const { explain } = await import('./faults.ts')
  const { code, message, details } = explain(fault)
  if (process.argv.includes('--json')) printJson({ error: details ?? { code, message } })
  else process.stderr.write(`${message}\n`)
  return FAILED
}
