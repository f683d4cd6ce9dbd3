// How commands and their rows are shown: how far they are, what they come to, and which rows were refused and why.
import type { Command, CommandRow, CommandSum } from '../../../sdk/src/index.ts'
import { note, openProgress, paint, print } from '../output.ts'
import { moneyText, printMany, printOne, type Shows, stateText, wordsOf } from '../view.ts'

export type Found = { readonly command: Command; readonly sums: readonly CommandSum[] }

const count = (rows: number) => rows.toLocaleString('en')

export function progressWords({ total, done, failed, waiting, skipped, left }: Command['progress']): string {
  const some = (rows: number, words: string) => (rows > 0 ? `${count(rows)} ${words}` : null)
  return wordsOf(
    `${count(done)} of ${count(total)} done`,
    some(failed, 'failed'),
    some(waiting, 'waiting for somebody'),
    some(skipped, 'skipped'),
    some(left, 'left'),
  )
}

const typeWords = ({ type, dry_run: dryRun }: Command) => (dryRun ? `${type} (dry run)` : type)
const stands = ({ status, cancelling }: Command) =>
  stateText(status, cancelling ? `${status} (being cancelled)` : status)

const COMMAND: Shows<Command> = [
  ['command', 'id'],
  ['mode', 'livemode'],
  ['type', typeWords],
  ['for', 'description'],
  ['schedule', ({ schedule }) => schedule && `${schedule.id}, run ${schedule.run}`],
  ['status', stands],
  ['rows', ({ progress }) => progressWords(progress)],
  ['created', 'created_at'],
  ['ended', 'ended_at'],
]

export const COMMANDS: Shows<Command> = [
  ['command', 'id'],
  ['type', typeWords],
  ['for', 'description'],
  ['status', stands],
  ['rows', ({ progress }) => progressWords(progress)],
  ['created', 'created_at'],
]

const SUMS: Shows<CommandSum> = [
  ['rows', 'status'],
  ['count', 'rows'],
  ['amount', ({ amount, currency }) => moneyText(amount, currency)],
  ['with fees', ({ debit, currency }) => moneyText(debit, currency)],
]

const placeOf = ({ index, line }: CommandRow) => (line === null ? `row ${index}` : `line ${line}`)

export const ROWS: Shows<CommandRow> = [
  ['row', placeOf],
  ['status', ({ status }) => stateText(status)],
  ['contract', 'contract_id'],
  ['amount', ({ preview }) => preview && moneyText(preview.amount, preview.currency)],
  ['with fees', ({ preview }) => preview && moneyText(preview.debit, preview.currency)],
  ['why', ({ error }) => error && wordsOf(error.param, error.message)],
]

const FAILURES: Shows<CommandRow> = [
  ['row', placeOf],
  ['column', ({ error }) => error?.param ?? '-'],
  ['code', ({ error }) => error?.code ?? null],
  ['what to mend', ({ error }) => error?.message ?? null],
]

export function printCommand({ command, sums }: Found): void {
  printOne(command, COMMAND)
  if (sums.length === 0) return
  print()
  printMany(sums, SUMS)
}

/** Rows that were refused, the first of them where there are many. */
export function printFailures({ id, progress }: Command, failures: readonly CommandRow[]): void {
  if (failures.length === 0) return
  print()
  printMany(failures, FAILURES)
  if (progress.failed > failures.length)
    print(
      paint(
        'dim',
        `and ${count(progress.failed - failures.length)} more: gateway commands results ${id} --status failed --all`,
      ),
    )
}

export type Steps = { readonly show: (done: number, total: number, words: string) => void; readonly end: () => void }

/** A bar at a terminal; elsewhere a line at each tenth. */
export function openSteps(): Steps {
  if (process.stderr.isTTY) return openProgress()
  let tenth = -1
  return {
    show: (done, total, words) => {
      const now = Math.floor((10 * done) / Math.max(total, 1))
      if (now === tenth) return
      tenth = now
      note(words)
    },
    end: () => undefined,
  }
}

export { count }
