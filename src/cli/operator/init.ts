// gateway init: sets a production up step by step, on the database itself, and says what is still missing. May be run again and
// again: it does what is not done yet.
import { configOf, Misconfigured } from '../../main/config/config.ts'
import type { Setup, Step } from '../../main/operator/init.ts'
import { currencies, shownName, wordOf } from '../arguments.ts'
import { Misused } from '../failures.ts'
import { command, flag, option, type Values } from '../command.ts'
import { note, paint, print } from '../output.ts'
import { stateText } from '../view.ts'
import { OPERATOR, operatorName } from './as-operator.ts'

const email = wordOf('Give an e-mail address.', (text) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : null))

const OPTIONS = {
  account: option('<name>', 'make the first live account, of this name', shownName),
  ownerName: option('<name>', 'who owns it, with --owner-email'),
  ownerEmail: option('<address>', 'how to reach them', email),
  currencies: option('<list>', 'its wallets (default: all that are enabled)', currencies),
  keyFile: option('<path>', 'write its first key to this new file, which only you can read'),
  showKey: flag('print its first key'),
  ...OPERATOR,
}

export const init = command('init', 'set a production up: configuration, schema, first account, owner and key', {
  examples: [
    'GATEWAY_MODE=production gateway init',
    'gateway init --account "Reyes Trading" --owner-name "Ana Cruz" --owner-email ana@example.com --key-file first.key',
  ],
  options: OPTIONS,
  notes: 'Exit code 1 as long as something is missing. Run it again: what is done stays done.',
  run: setUp,
  json: ({ setup: { steps, accountId, key }, missing }) => ({
    complete: missing.length === 0,
    account_id: accountId,
    ...(key !== null && { api_key: key }),
    steps,
    missing: missing.map(({ step }) => step),
  }),
  print: ({ setup: { steps, key }, missing }) => {
    for (const step of steps) printStep(step)
    if (key !== null) {
      print(`\n${paint('bold', key)}`)
      note('This is the only time that the key is shown. Keep it where secrets are kept.')
    }
    print()
    if (missing.length > 0)
      print(`Still missing: ${[...new Set(missing.map(({ step }) => step))].join(', ')}. Then: gateway init`)
    else print('Nothing is missing. Start it with: gateway start     Check it with: gateway doctor --production')
  },
  failed: ({ missing }) => missing.length > 0,
})

async function setUp(options: Values<typeof OPTIONS>): Promise<{ setup: Setup; missing: readonly Step[] }> {
  const { account = null, ownerName, ownerEmail, keyFile = null, showKey, operator } = options
  if ((ownerName === undefined) !== (ownerEmail === undefined))
    throw new Misused('give --owner-name and --owner-email together')
  if (account !== null && ownerName === undefined)
    throw new Misused('the first account has an owner: give --owner-name and --owner-email, too')
  const faults: string[] = []
  const config = configOf(faults)
  if (faults.length > 0) throw new Misconfigured(faults.join('\n'))
  const { setUpProduction } = await import('../../main/operator/init.ts')
  const setup = await setUpProduction(config, {
    account,
    owner: ownerName && ownerEmail ? { name: ownerName, email: ownerEmail } : null,
    currencies: options.currencies ?? config.currencies,
    keyFile,
    showKey: showKey === true,
    operator: () => operatorName(operator),
  })
  return { setup, missing: setup.steps.filter(({ state }) => state === 'lacking') }
}

const STATE_CELLS = 9
const STEP_CELLS = 26

function printStep({ step, state, said, mend }: Step): void {
  print(`${stateText(state, state.padEnd(STATE_CELLS))}${step.padEnd(STEP_CELLS)}${said}`)
  if (mend !== null) print(paint('dim', `${' '.repeat(STATE_CELLS)}${mend}`))
}
