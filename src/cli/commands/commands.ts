// gateway commands: one thing done to many contracts, over HTTP. What is run from a file: run.ts.
import type { Command, CommandRow } from '../../../sdk/src/index.ts'
import { COMMAND_STATUSES, ROW_STATUSES } from '../../domain/command/command.ts'
import { csvRow } from '../../formats/csv.ts'
import { call, get, put } from '../client.ts'
import { apiCommand, choice, command, flag, groupOf, idArgument, idOption, PLACE } from '../command.ts'
import { CommandFailed } from '../failures.ts'
import { listCommand } from '../list.ts'
import { note } from '../output.ts'
import { placeOf } from '../place.ts'
import { exportFile } from './export.ts'
import { run } from './run.ts'
import { noteWaiting, ROWS } from './rows-view.ts'
import { COMMANDS, type Found, printCommand } from './view.ts'

const PATH = '/commands'
const ID = idArgument('<id>', 'the command', 'command')

const FILTER = {
  status: choice('<status>', 'only those that are', COMMAND_STATUSES),
  dryRunId: idOption('<id>', 'only those that do the rows of this dry run', 'command'),
}
const list = listCommand<Command, [], typeof FILTER>('list', 'list commands, newest first', {
  examples: ['gateway commands list --status running', 'gateway commands list --dry-run-id 0198…'],
  options: FILTER,
  member: 'commands',
  columns: COMMANDS,
  csv: [
    'id',
    'type',
    'status',
    'dry_run',
    'description',
    'progress.total',
    'progress.done',
    'progress.failed',
    'created_at',
  ],
  call: ({ status, dryRunId }) => get(PATH, { status, dry_run_id: dryRunId }),
})

const show = apiCommand('get', 'show how far a command is, and what its rows come to', {
  examples: ['gateway commands get 0198…'],
  arguments: [ID],
  call: (_, id) => get(`${PATH}/${id}`),
  print: (found: Found) => {
    printCommand(found)
    if (found.command.progress.waiting > 0) noteWaiting(found.command)
  },
})

const ROW_FILTER = {
  status: choice('<status>', 'only rows that are', ROW_STATUSES),
  flagged: flag('of a dry run, only rows that somebody should look at'),
}
const results = listCommand<CommandRow, [typeof ID], typeof ROW_FILTER>(
  'results',
  'list the rows of a command, and what became of each',
  {
    examples: [
      'gateway commands results 0198… --status failed',
      'gateway commands results 0198… --flagged',
      'gateway commands results 0198… --all --csv > results.csv',
    ],
    arguments: [ID],
    options: ROW_FILTER,
    member: 'rows',
    columns: ROWS,
    csv: [
      'index',
      'line',
      'status',
      'contract_id',
      'step',
      'error.code',
      'error.param',
      'error.message',
      'preview.currency',
      'preview.amount',
      'preview.debit',
      'sent.recipient.name',
    ],
    call: ({ status, flagged }, id) => get(`${PATH}/${id}/rows`, { status, flagged: flagged ? 'true' : undefined }),
  },
)

const LACKING = /^(requirements_not_met|missing_\w+)$/
type RowPage = { readonly rows: readonly CommandRow[]; readonly next: string | null }

const failed = command('failed', 'print the rows that failed as a file to mend and run', {
  examples: ['gateway commands failed 0198… > mend.csv', 'gateway commands run mend.csv'],
  arguments: [ID],
  options: PLACE,
  run: async (options, id) => {
    const place = placeOf(options)
    const rows: Readonly<Record<string, string | number>>[] = []
    const lacking = new Set<string>()
    for (let after: string | undefined; ; ) {
      const page: RowPage = await call(place, get(`${PATH}/${id}/rows`, { status: 'failed', limit: 100, after }))
      rows.push(...page.rows.map(({ sent }) => flat(sent)))
      // A column that nobody filled is there to be filled.
      for (const { error } of page.rows) if (error?.param && LACKING.test(error.code)) lacking.add(error.param)
      if (page.next === null) break
      after = page.next
    }
    if (rows.length === 0) throw new CommandFailed('No row of this command failed.')
    return { names: [...new Set([...rows.flatMap((row) => Object.keys(row)), ...lacking])], rows }
  },
  json: ({ rows }) => ({ rows }),
  print: ({ names, rows }) => {
    process.stdout.write(csvRow(names))
    for (const row of rows) process.stdout.write(csvRow(names.map((name) => row[name])))
    note(
      `${rows.length} rows. Contracts that they made and that were not paid stay as they are: gateway commands results`,
    )
  },
})

/** The members of a row under dotted names, as the header of a file has them. */
function flat(of: object, above = ''): Record<string, string | number> {
  const parts = Object.entries(of).map(([name, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return flat(value, `${above}${name}.`)
    return typeof value === 'string' || typeof value === 'number' ? { [above + name]: value } : {}
  })
  return Object.assign({}, ...parts) as Record<string, string | number>
}

const moved = (verb: 'pause' | 'resume' | 'cancel', about: string) =>
  apiCommand(verb, about, {
    examples: [`gateway commands ${verb} 0198…`],
    arguments: [ID],
    call: (_, id) => put(`${PATH}/${id}/${verb}`),
    print: ({ command: now }: { readonly command: Command }) => printCommand({ command: now, sums: [] }),
  })

export const commands = groupOf('commands', 'do one thing to many contracts: pay everybody of a CSV file', [
  run,
  list,
  show,
  results,
  failed,
  exportFile,
  moved('pause', 'begin no more rows; those that were begun are finished'),
  moved('resume', 'go on with a command that was paused'),
  moved('cancel', 'end a command; contracts that it made stay as they are'),
])
