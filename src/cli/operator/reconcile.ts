// gateway reconcile: a provider's statement of a day against the books, line by line. Exit code 1 when something does not
// fit.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import { type Found, type Reconciliation, yesterday } from '../../app/operator/reconcile.ts'
import { dayFrom } from '../../domain/channel/reconcile.ts'
import { wordOf } from '../arguments.ts'
import { command, option, required } from '../command.ts'
import { paint, print } from '../output.ts'
import { asOperator } from './as-operator.ts'

const dayText = wordOf('Give a day such as 2026-03-31.', (text) => (dayFrom(text) === null ? null : text))

export const reconcile = command('reconcile', 'compare a provider’s statement of a day with the books, line by line', {
  examples: [
    `gateway reconcile --channel ${EXAMPLES.bank}`,
    `gateway reconcile --channel ${EXAMPLES.bank} --day 2026-03-31 --json`,
  ],
  options: {
    channel: required(option('<id>', 'whose statement')),
    day: option('<date>', 'the day in the Philippines, YYYY-MM-DD (default: yesterday)', dayText),
  },
  notes:
    'What the provider has delivered and we did not know yet is recorded. A line that is not ours stops the payouts of\n' +
    'the channel until "gateway channels acknowledge". Exit code 1 when something does not fit.',
  run: ({ channel, day = yesterday(Date.now()) }) => asOperator((operator) => operator.reconcile(channel, day)),
  json: ({ channelId, findings, ...rest }) => ({
    channel: channelId,
    fits: findings.length === 0,
    ...rest,
    findings: findings.map(({ contractId, amountDecimal, ...finding }) => ({
      ...finding,
      contract_id: contractId,
      amount: amountDecimal,
    })),
  }),
  print: printResult,
  failed: ({ findings }) => findings.length > 0,
})

function printResult({ channelId, day, matched, awaited, mended, findings, frozen }: Reconciliation): void {
  for (const finding of findings) print(findingLine(finding))
  for (const reference of mended) print(`${paint('yellow', 'mended')}  ${reference}: the statement says how it ended`)
  if (awaited > 0) print(`${awaited} are delivered by our books and not booked yet; the day is not over.`)
  const verdict = findings.length === 0 ? paint('green', 'All of it fits.') : `${findings.length} do not fit.`
  print(`${channelId}, ${day}: ${matched} lines match, ${mended.length} mended. ${verdict}`)
  if (frozen)
    print(paint('red', `The channel pays nothing out until: gateway channels acknowledge ${channelId} --evidence …`))
}

function findingLine({ kind, line, reference, contractId, amountDecimal, currency, why, acknowledged }: Found): string {
  const amount = amountDecimal === null ? '' : `, ${currency} ${amountDecimal}`
  const whose = contractId === null ? '' : `, contract ${contractId}`
  const known = acknowledged ? ' (acknowledged)' : ''
  return `${paint('red', kind)}  ${line} ${reference}${amount}${whose}: ${why}${known}`
}
