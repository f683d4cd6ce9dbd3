// gateway init: sets a production up step by step, on the database itself, and says what is still missing. May be run again and
// again: it does what is not done yet.
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { configOf, Misconfigured } from '../../main/config/config.ts'
import type { Setup, Step } from '../../main/operator/init.ts'
import { commandWithJson, currencies, shownName, type WithJson } from '../arguments.ts'
import { note, paint, print, printJson } from '../output.ts'
import { operatorName } from '../contracts/transfer-actions.ts'

type Options = WithJson & {
  readonly account?: string
  readonly ownerName?: string
  readonly ownerEmail?: string
  readonly currencies?: readonly string[]
  readonly keyFile?: string
  readonly showKey?: true
  readonly operator?: string
}

export function initCommand(): Command {
  return commandWithJson('init', 'set a production up: configuration, schema, first account, owner and key', [
    'GATEWAY_MODE=production gateway init',
    'gateway init --account "Reyes Trading" --owner-name "Ana Cruz" --owner-email ana@example.com --key-file first.key',
  ])
    .option('--account <name>', 'make the first live account, of this name', shownName)
    .option('--owner-name <name>', 'who owns it, with --owner-email')
    .option('--owner-email <address>', 'how to reach them', email)
    .option('--currencies <list>', 'its wallets (default: all that are enabled)', currencies)
    .option('--key-file <path>', 'write its first key to this new file, which only you can read')
    .option('--show-key', 'print its first key')
    .option('--operator <name>', 'who does this (default: the user of this system)')
    .addHelpText('after', '\nExit code 1 as long as something is missing. Run it again: what is done stays done.')
    .action(init)
}

function email(text: string): string {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) throw new InvalidArgumentError('Give an e-mail address.')
  return text
}

async function init(options: Options, command: Command): Promise<void> {
  const { json, account, ownerName, ownerEmail, keyFile, showKey } = options
  if ((ownerName === undefined) !== (ownerEmail === undefined))
    command.error('error: give --owner-name and --owner-email together', { exitCode: 2 })
  if (account !== undefined && ownerName === undefined)
    command.error('error: the first account has an owner: give --owner-name and --owner-email, too', { exitCode: 2 })
  const faults: string[] = []
  const config = configOf(faults)
  if (faults.length > 0) throw new Misconfigured(faults.join('\n'))
  const { setUpProduction } = await import('../../main/operator/init.ts')
  const setup = await setUpProduction(config, {
    account: account ?? null,
    owner: ownerName && ownerEmail ? { name: ownerName, email: ownerEmail } : null,
    currencies: options.currencies ?? config.currencies,
    keyFile: keyFile ?? null,
    showKey: showKey === true,
    operator: () => operatorName(options.operator),
  })
  const missing = setup.steps.filter(({ state }) => state === 'lacking')
  if (missing.length > 0) process.exitCode = 1
  if (json) return printJson(jsonOf(setup, missing))
  for (const step of setup.steps) tell(step)
  if (setup.key !== null) {
    print(`\n${paint('bold', setup.key)}`)
    note('This is the only time that the key is shown. Keep it where secrets are kept.')
  }
  print()
  if (missing.length > 0)
    print(`Still missing: ${[...new Set(missing.map(({ step }) => step))].join(', ')}. Then: gateway init`)
  else print('Nothing is missing. Start it with: gateway start     Check it with: gateway doctor --production')
}

function jsonOf({ steps, accountId, key }: Setup, missing: readonly Step[]) {
  const shown = key === null ? {} : { api_key: key }
  return {
    complete: missing.length === 0,
    account_id: accountId,
    ...shown,
    steps,
    missing: missing.map(({ step }) => step),
  }
}

const COLOURS = { done: 'green', already: 'dim', lacking: 'red' } as const
const STATE_CELLS = 9
const STEP_CELLS = 26

function tell({ step, state, said, mend }: Step): void {
  print(`${paint(COLOURS[state], state.padEnd(STATE_CELLS))}${step.padEnd(STEP_CELLS)}${said}`)
  if (mend !== null) print(paint('dim', `${' '.repeat(STATE_CELLS)}${mend}`))
}
