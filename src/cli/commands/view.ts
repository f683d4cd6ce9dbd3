// How commands are shown: how far they are, and what they come to.
import type { Command, CommandSum } from '../../../sdk/src/index.ts'
import { note, openProgress, print, type Progress } from '../output.ts'
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

export function printCommand({ command, sums }: Found): void {
  printOne(command, COMMAND)
  if (sums.length === 0) return
  print()
  printMany(sums, SUMS)
}

/** A bar at a terminal; elsewhere a line at each tenth. */
export function openSteps(): Progress {
  if (process.stderr.isTTY) return openProgress()
  let tenth = -1
  return {
    show: (done, total, words) => {
      const now = Math.floor((10 * done) / Math.max(total, 1))
      if (now === tenth) return
      tenth = now
      note(words)
    },
    aside: (say) => say(),
    end: () => undefined,
  }
}

export { count }
