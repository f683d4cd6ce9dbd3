// gateway verify: proves the books and names the first row of each proof that does not hold. Changes nothing.
import type { Command } from 'commander'
import type { Verdict } from '../../app/operator/verify.ts'
import { displayText } from '../../domain/money/money.ts'
import type { LiveCredit } from '../../ledger/verify-outside.ts'
import { asOperator } from './as-operator.ts'
import { commandWithJson, type WithJson } from '../arguments.ts'
import { openProgress, paint, print, printJson, printTable } from '../output.ts'

export function verifyCommand(): Command {
  return commandWithJson('verify', 'prove the books: balances, holds, history, moves and attempts, lane by lane', [
    'gateway verify',
    'gateway verify --json',
  ])
    .addHelpText(
      'after',
      '\nReads only, beside a gateway at work or without one. Exit code 1 when something does not hold.',
    )
    .action(verify)
}

async function verify({ json }: WithJson): Promise<void> {
  const began = performance.now()
  const verdict = await proved()
  const { findings, counts, lanes } = verdict
  const holds = findings.length === 0
  if (!holds) process.exitCode = 1
  if (!json) return printVerdict(verdict, (performance.now() - began) / 1000)
  const shown = findings.map(({ accountId, ...finding }) => ({ ...finding, account_id: accountId }))
  const credits = verdict.liveCredits.map(
    ({ row, accountId, walletId, currency, amountMinor, approvedBy, ...rest }) => ({
      row,
      account_id: accountId,
      wallet_id: walletId,
      currency,
      amount_minor: amountMinor,
      ...rest,
      approved_by: approvedBy,
    }),
  )
  printJson({ holds, lanes, counts, live_credits: credits, findings: shown })
}

async function proved(): Promise<Verdict> {
  const progress = openProgress()
  const onLane = (done: number, total: number) => progress.show(done, total, `lane ${done} of ${total}`)
  try {
    return await asOperator((operator) => operator.verify(onLane))
  } finally {
    progress.end()
  }
}

/** Not a fault: what an auditor asks for, every time. */
function printLiveCredits(credits: readonly LiveCredit[]): void {
  if (credits.length === 0) return
  print('Money that entered live wallets without a contract:')
  const rows = credits.map((each) => [
    each.at.slice(0, 16).replace('T', ' '),
    displayText(each.amountMinor, each.currency),
    each.from,
    each.accountId,
    each.row,
    each.operator ?? 'NO RECORD',
    each.approvedBy ?? 'NO RECORD',
  ])
  printTable(['WHEN', 'AMOUNT', 'FROM', 'ACCOUNT', 'WALLET/ROW', 'BY', 'APPROVED BY'], rows)
  print()
}

function printVerdict({ findings, counts, lanes, liveCredits }: Verdict, seconds: number): void {
  printLiveCredits(liveCredits)
  for (const { proof, lane, accountId, row, problem } of findings) {
    print(`${paint('red', `does not hold: ${proof}`)}`)
    print(`  ${row}, account ${accountId}, lane ${lane}`)
    print(`  ${problem}`)
  }
  const looked = `${counts.wallets} wallets, ${counts.entries} ledger rows, ${counts.contracts} contracts and ${counts.versions} versions in ${lanes} lanes, ${seconds.toFixed(1)} s`
  if (findings.length === 0) print(`${paint('green', 'The books hold.')} ${looked}`)
  else print(`\n${findings.length} proofs do not hold; the first row of each is above. ${looked}`)
}
