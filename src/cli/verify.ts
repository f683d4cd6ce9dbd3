// gateway verify: proves the books and names the first row of each proof that does not hold. Changes nothing.
import type { Command } from 'commander'
import type { Verdict } from '../app/verify.ts'
import { asOperator } from './as-operator.ts'
import { commandWithJson, type WithJson } from './arguments.ts'
import { openProgress, paint, print, printJson } from './output.ts'

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
  printJson({ holds, lanes, counts, findings: shown })
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

function printVerdict({ findings, counts, lanes }: Verdict, seconds: number): void {
  for (const { proof, lane, accountId, row, problem } of findings) {
    print(`${paint('red', `does not hold: ${proof}`)}`)
    print(`  ${row}, account ${accountId}, lane ${lane}`)
    print(`  ${problem}`)
  }
  const looked = `${counts.wallets} wallets, ${counts.entries} ledger rows, ${counts.contracts} contracts and ${counts.versions} versions in ${lanes} lanes, ${seconds.toFixed(1)} s`
  if (findings.length === 0) print(`${paint('green', 'The books hold.')} ${looked}`)
  else print(`\n${findings.length} proofs do not hold; the first row of each is above. ${looked}`)
}
