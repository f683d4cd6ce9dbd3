// gateway size: what each table takes, what a contract takes, and what the database will take.
import { InvalidArgumentError } from 'commander'
import type { DatabaseSize, SizedTable } from '../../app/operator/size.ts'
import { command, option } from '../command.ts'
import { print, printPairs, snakeCased } from '../output.ts'
import { printMany, type Shows } from '../view.ts'
import { asOperator } from './as-operator.ts'

const PER_SECOND_MAX = 100_000

function rateOf(text: string): number {
  const rate = Number(text)
  if (!(rate > 0) || rate > PER_SECOND_MAX) throw new InvalidArgumentError(`Give a number from 0 to ${PER_SECOND_MAX}.`)
  return rate
}

export const size = command(
  'size',
  'tell what each table takes, what a contract takes, and what the database will take',
  {
    examples: ['gateway size', 'gateway size --per-second 10', 'gateway size --json'],
    notes: `Reads only. Rows are the server's estimates. What is kept and what is pruned: docs/growth.md.`,
    options: {
      perSecond: option('<n>', 'contracts a second to forecast (default: the rate of the last seven days)', rateOf),
    },
    run: ({ perSecond }) => asOperator((operator) => operator.size(perSecond ?? null)),
    json: (found) => snakeCased(found),
    print: printSize,
  },
)

const TABLES: Shows<SizedTable> = [
  ['table', 'table'],
  ['rows', ({ rows }) => Math.round(rows).toLocaleString('en')],
  ['dead', ({ deadRows }) => deadRows.toLocaleString('en')],
  ['data', ({ tableBytes }) => bytesText(tableBytes)],
  ['indexes', ({ indexBytes }) => bytesText(indexBytes)],
  ['kept', ({ keptDays }) => keptText(keptDays)],
]

function keptText(days: SizedTable['keptDays']): string {
  if (days === 'always') return 'for ever'
  return days === null ? 'as long as it counts' : `${days} days`
}

const TABLES_SHOWN = 20

function printSize(size: DatabaseSize): void {
  const { tables, bytes, contracts, contractsPerDay, bytesPerContract, old, documents, forecast } = size
  const shown = tables.slice(0, TABLES_SHOWN)
  printMany(shown, TABLES)
  if (tables.length > shown.length) print(`and ${tables.length - shown.length} smaller ones (--json has all of them)`)
  print()
  printPairs([
    ['All tables', bytesText(bytes)],
    ['Contracts', Math.round(contracts).toLocaleString('en')],
    [
      'Made a day',
      contractsPerDay === null ? 'none in the last seven days' : Math.round(contractsPerDay).toLocaleString('en'),
    ],
    [
      'A contract leaves',
      bytesPerContract &&
        `${bytesText(bytesPerContract.kept)} for ever, ${bytesText(bytesPerContract.pruned)} until it is pruned`,
    ],
    [
      `Over ${old.days} days old`,
      old.contracts === 0
        ? null
        : `${Math.round(old.contracts).toLocaleString('en')} or so, ${bytesText(old.bytes)}; archive them: gateway archive --before ${old.days}d`,
    ],
    [
      'May leave of that',
      old.removableBytes === 0
        ? null
        : `${bytesText(old.removableBytes)} of words for search: GATEWAY_SEARCH_DAYS=${old.days}`,
    ],
    ['And documents', documentsText(documents, old.days)],
    ['In a noted archive', documents.days === null ? null : `${documents.archived} of ${documents.accounts} accounts`],
  ])
  if (documents.days !== null && documents.archived < documents.accounts)
    print(
      'Documents of the other accounts stay until an archive is noted: gateway archive verify <dir> --note <where>.',
    )
  print()
  if (forecast === null) return print('There is no rate to forecast by: give --per-second.')
  print(
    `At ${Math.round(forecast.contractsPerDay).toLocaleString('en')} contracts a day it grows by ${bytesText(forecast.bytesPerDay)} a day, ${bytesText(forecast.bytesPerYear)} a year.`,
  )
  if (forecast.bytesPerYearWithRemoval < forecast.bytesPerYear)
    print(
      `Where words for search leave in time (GATEWAY_SEARCH_DAYS), ${bytesText(forecast.bytesPerYearWithRemoval)} a year.`,
    )
  if (forecast.bytesPerYearWithoutDocuments < forecast.bytesPerYearWithRemoval)
    print(
      `Where documents of superseded versions leave, too (GATEWAY_EVENT_DAYS), ${bytesText(forecast.bytesPerYearWithoutDocuments)} a year.`,
    )
  print(
    `What is pruned comes to ${bytesText(forecast.prunedBytes)} and stays there. The log of the server is beside it.`,
  )
}

const documentsText = ({ days, oldBytes }: DatabaseSize['documents'], oldDays: number): string | null =>
  days !== null || oldBytes < 1
    ? null
    : `${bytesText(oldBytes)} of documents of superseded versions, once they are archived: GATEWAY_EVENT_DAYS=${oldDays}`

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** In units of a thousand. */
function bytesText(bytes: number): string {
  const place = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** place
  return `${value.toFixed(place === 0 || value >= 100 ? 0 : 1)} ${UNITS[place]}`
}
