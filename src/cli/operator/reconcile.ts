// gateway reconcile: a provider's statement of a day against the books, line by line. Exit code 1 when something does not
// fit.
import { type Command, InvalidArgumentError } from 'commander'
import { type Found, type Reconciliation, yesterday } from '../../app/operator/reconcile.ts'
import { dayFrom } from '../../domain/channel/reconcile.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { commandWithJson, type WithJson } from '../arguments.ts'
import { asOperator } from './as-operator.ts'
import { paint, print, printJson } from '../output.ts'
import { failedBy } from '../contracts/transfer-actions.ts'

export function reconcileCommand(): Command {
  return commandWithJson('reconcile', 'compare a provider’s statement of a day with the books, line by line', [
    'gateway reconcile --channel instapay',
    'gateway reconcile --channel instapay --day 2026-03-31 --json',
  ])
    .requiredOption('--channel <id>', 'whose statement')
    .option('--day <date>', 'the day in the Philippines, YYYY-MM-DD (default: yesterday)', dayArgument)
    .addHelpText(
      'after',
      '\nWhat the provider has delivered and we did not know yet is mended. A line that is not ours stops the payouts of\n' +
        'the channel until "gateway channels acknowledge". Exit code 1 when something does not fit.',
    )
    .action(reconcileDay)
}

function dayArgument(text: string): string {
  if (dayFrom(text) === null) throw new InvalidArgumentError('Give a day such as 2026-03-31.')
  return text
}

type Wanted = WithJson & { readonly channel: string; readonly day?: string }

async function reconcileDay({ json, channel, day }: Wanted): Promise<void> {
  const wanted = day ?? yesterday(Date.now())
  const result = await asOperator((operator) => operator.reconcile(channel, wanted))
  if (isRefusal(result)) throw failedBy(result)
  if (result.findings.length > 0) process.exitCode = 1
  if (json) printJson(resultJson(result))
  else printResult(result)
}

function resultJson({ channelId, findings, ...rest }: Reconciliation) {
  const shown = findings.map(({ contractId, amountDecimal, ...finding }) => ({
    ...finding,
    contract_id: contractId,
    amount: amountDecimal,
  }))
  return { channel: channelId, fits: findings.length === 0, ...rest, findings: shown }
}

function printResult({ channelId, day, matched, awaited, mended, findings, frozen }: Reconciliation): void {
  for (const finding of findings) print(findingLine(finding))
  for (const reference of mended) print(`${paint('yellow', 'mended')}  ${reference}: the statement told how it ended`)
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
