// How the rows of commands are shown: whom each pays and what it comes to; which were refused, and what to mend; and which of a dry
// run somebody should look at before the real one.
import type { Command, CommandRow } from '../../../sdk/src/index.ts'
import { note, paint, print } from '../output.ts'
import { timeText } from '../times.ts'
import { moneyText, printWhole, type Shows, stateText, wordsOf } from '../view.ts'
import { count } from './view.ts'

const placeOf = ({ index, line }: Pick<CommandRow, 'index' | 'line'>) =>
  line === null ? `row ${index}` : `line ${line}`

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Whom a row pays, as it was sent: a name, else what it names them by. */
function toOf({ sent }: CommandRow): string | null {
  const recipient = (sent['recipient'] ?? {}) as Readonly<Record<string, unknown>>
  const named = ['name', 'profile', 'email', 'mobile', 'wallet'].map((name) => textIn(recipient[name]))
  return named.find((text) => text !== null) ?? null
}

function amountOf({ preview, sent }: CommandRow): string | null {
  if (preview) return moneyText(preview.amount, preview.currency)
  const { amount, currency } = sent
  return typeof amount === 'number' && typeof currency === 'string' ? moneyText(amount, currency) : null
}

/** What a dry run says of a row beside its price, each in a few words. */
function checksWords({ checks }: Pick<CommandRow, 'checks'>): string[] {
  if (!checks) return []
  const {
    denied,
    approvals,
    verifications,
    delay_seconds: delay,
    same_as_row: same,
    same_as_line: line,
    paid_before: before,
  } = checks
  return [
    ...(denied ? [`denied by “${denied.name}”: ${denied.words}`] : []),
    ...(same === null ? [] : [`same amount and recipient as ${placeOf({ index: same, line })}`]),
    ...(before ? [`same amount and recipient as ${before.contract_id}, paid ${timeText(before.at)}`] : []),
    ...approvals.map(({ count: wanted, role, name }) => {
      const who = role === null ? '' : ` by members of the role ${role}`
      return `waits for ${wanted} approval${wanted === 1 ? '' : 's'}${who} (“${name}”)`
    }),
    ...verifications.map(({ kind, name }) => `waits for a verification: ${kind} (“${name}”)`),
    ...(delay > 0 ? [`leaves ${delay} s later`] : []),
  ]
}

/** The column is named where the words do not name it; `id` is the row's own contract. */
function errorWords({ error }: Pick<CommandRow, 'error'>): string | null {
  if (!error) return null
  const { param, message } = error
  return param === null || param === 'id' || message.includes(param) ? message : `${param}: ${message}`
}

export const ROWS: Shows<CommandRow> = [
  ['row', placeOf],
  ['status', ({ status }) => stateText(status)],
  ['to', toOf],
  ['amount', amountOf],
  ['with fees', ({ preview }) => preview && moneyText(preview.debit, preview.currency)],
  ['contract', 'contract_id'],
  ['why', (row) => wordsOf(errorWords(row), ...checksWords(row))],
]

const FAILURES: Shows<CommandRow> = [
  ['row', placeOf],
  ['to', toOf],
  ['column', ({ error }) => error?.param ?? '-'],
  ['code', ({ error }) => error?.code ?? null],
  ['what to mend', ({ error }) => error?.message ?? null],
]

const FLAGGED: Shows<CommandRow> = [
  ['row', placeOf],
  ['to', toOf],
  ['amount', amountOf],
  ['to look at', (row) => checksWords(row).join('; ')],
]

/** Rows that were refused, the first of them where there are many. */
export function printFailures({ id, progress }: Command, failures: readonly CommandRow[]): void {
  if (failures.length === 0) return
  print()
  printWhole(failures, FAILURES)
  const more = progress.failed - failures.length
  if (more > 0) print(paint('dim', `and ${count(more)} more: gateway commands results ${id} --status failed --all`))
}

/** Rows of a dry run that could be done, and that somebody should look at first. */
export function printFlagged({ id }: Command, flagged: readonly CommandRow[], isAll: boolean): void {
  if (flagged.length === 0) return
  print()
  printWhole(flagged, FLAGGED)
  if (!isAll) print(paint('dim', `and more: gateway commands results ${id} --flagged --all`))
}

/** Rows that wait for somebody else, while nothing else is left to do. */
export function noteWaiting({ id, progress: { waiting } }: Command): void {
  const rows = waiting === 1 ? '1 row waits' : `${count(waiting)} rows wait`
  note(
    `${rows} for somebody: gateway commands results ${id} --status waiting says for whom. Approvals: gateway approvals list.`,
  )
}
