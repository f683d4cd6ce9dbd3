// gateway verify: proves the books and names the first row of each proof that does not hold. Changes nothing.
import type { Verdict } from '../../app/operator/verify.ts'
import { displayText } from '../../domain/money/money.ts'
import type { SealHead } from '../../store/seals/seals.ts'
import type { LiveCredit } from '../../ledger/verify-outside.ts'
import { wholeNumberTo } from '../arguments.ts'
import { command, option } from '../command.ts'
import { CommandFailed } from '../failures.ts'
import { openProgress, paint, print, snakeCased } from '../output.ts'
import { timeText } from '../times.ts'
import { printMany, type Shows } from '../view.ts'
import { asOperator } from './as-operator.ts'
import { headsIn } from './seals.ts'

const LIVE_CREDITS: Shows<LiveCredit> = [
  ['when', ({ at }) => timeText(at)],
  ['amount', ({ amountMinor, currency }) => displayText(amountMinor, currency)],
  ['from', 'from'],
  ['account', 'accountId'],
  ['wallet/row', 'row'],
  ['by', ({ operator }) => operator ?? 'NO RECORD'],
  ['approved by', ({ approvedBy }) => approvedBy ?? 'NO RECORD'],
]

// Each takes a connection, of which a server has few hundred, and the gateways need theirs.
const sideBySide = wholeNumberTo(32, 'Give a whole number from 1 to 32.')

export const verify = command('verify', 'prove the books: balances, holds, history, moves and attempts, lane by lane', {
  examples: [
    'gateway verify',
    'gateway verify --json',
    'gateway verify --parallel 8',
    'gateway verify --since heads.json',
  ],
  notes: `Reads only, beside a gateway at work or without one. Exit code 1 when something does not hold.
History and ledger are compared with their seals, all of them; with --since only what was sealed after an
earlier proof: gateway seals heads --json, run just before it.`,
  options: {
    since: option('<file>', 'heads of seals that an earlier proof ended with'),
    parallel: option('<count>', 'so many lanes side by side (default: two, on a cluster two a node)', sideBySide),
  },
  run: async ({ since, parallel = null }) => {
    if (parallel === 0) throw new CommandFailed('Give at least one.')
    const began = performance.now()
    const verdict = await proved({ since: since === undefined ? [] : headsIn(since), parallel })
    return { ...verdict, holds: verdict.findings.length === 0, seconds: (performance.now() - began) / 1000 }
  },
  json: ({ holds, lanes, counts, seals, liveCredits, findings }) =>
    snakeCased({ holds, lanes, counts, seals, liveCredits, findings }),
  print: printVerdict,
  failed: ({ holds }) => !holds,
})

type Asked = { readonly since: readonly SealHead[]; readonly parallel: number | null }

async function proved(asked: Asked): Promise<Verdict> {
  const progress = openProgress()
  const onLane = (done: number, total: number) => progress.show(done, total, `lane ${done} of ${total}`)
  try {
    return await asOperator((operator) => operator.verify({ ...asked, onLane }))
  } finally {
    progress.end()
  }
}

type Proved = Verdict & { readonly holds: boolean; readonly seconds: number }

function printVerdict({ findings, counts, lanes, seals, liveCredits, holds, seconds }: Proved): void {
  // Not a fault: what an auditor asks for, every time.
  if (liveCredits.length > 0) {
    print('Money that entered live wallets without a contract:')
    printMany(liveCredits, LIVE_CREDITS)
    print()
  }
  for (const { proof, lane, accountId, row, problem } of findings) {
    print(`${paint('red', `does not hold: ${proof}`)}`)
    print(`  ${row}${accountId === '' ? '' : `, account ${accountId}`}, lane ${lane}`)
    print(`  ${problem}`)
  }
  const looked = `${counts.wallets} wallets, ${counts.entries} ledger rows, ${counts.contracts} contracts and ${counts.versions} versions in ${lanes} lanes, ${seals} seals, ${seconds.toFixed(1)} s`
  if (holds) print(`${paint('green', 'The books hold.')} ${looked}`)
  else print(`\n${findings.length} proofs do not hold; the first row of each is above. ${looked}`)
}
