// A command that lists: a page, so many, or with --all all of them, page after page as they come; as a table, as CSV or as JSON.
import type { Command } from 'commander'
import { csvRow } from '../formats/csv.ts'
import { wholeNumber } from './arguments.ts'
import { type Call, call } from './client.ts'
import { command, flag, type Options, option, PLACE, type Positionals, type Values, type Words } from './command.ts'
import { csvRowsOf } from '../formats/csv.ts'
import { note, paint, print, printJson } from './output.ts'
import { placeOf } from './place.ts'
import { openTable } from './table.ts'
import { headingsOf, rowsOf, type Shows } from './view.ts'

const PAGE_MOST = 100
const PAGE_USUAL = 25

const PAGES = {
  limit: option('<n>', 'at most so many (default: a page of 25)', wholeNumber),
  after: option('<cursor>', 'go on after the page that ended with this'),
  all: flag('all of them, page after page'),
  csv: flag('print CSV instead of a table'),
}

type Page = { readonly next: string | null } & Readonly<Record<string, unknown>>

/** `member` is that of the reply which holds the rows; `csv` names the columns as the API does. */
type Listing<T extends object, A, O, G, W extends readonly unknown[]> = {
  readonly examples: readonly string[]
  readonly arguments?: A
  readonly options?: O
  readonly notes?: string
  readonly member: string
  readonly columns: Shows<T>
  readonly csv: readonly string[]
  /** Its cells, where they are more than members of the row. */
  readonly csvRow?: (row: T) => readonly (string | number | null)[]
  readonly call: (options: G, ...words: W) => Call
  /** What is said beside the rows of a page. */
  readonly beside?: (page: Page) => void
  /** Whether a row is wanted, where the API has no filter of the kind. */
  readonly wants?: (options: G) => ((row: T) => boolean) | null
}

type NoOptions = Readonly<Record<never, never>>
type Pages = Values<typeof PAGES> & { readonly json?: true }
type Writer<T> = {
  readonly add: (rows: readonly T[], page: Page) => void
  readonly end: (next: string | null) => void
}

export function listCommand<T extends object, const A extends Positionals = [], O extends Options = NoOptions>(
  name: string,
  description: string,
  listing: Listing<T, A, O, Values<O> & Values<typeof PLACE>, Words<A>>,
): Command {
  return command(name, description, {
    examples: listing.examples,
    ...(listing.arguments && { arguments: listing.arguments }),
    ...(listing.notes !== undefined && { notes: listing.notes }),
    options: { ...listing.options, ...PAGES, ...PLACE },
    run: async (given, ...words) => {
      const options = given as unknown as Pages & Values<O> & Values<typeof PLACE>
      const asked = listing.call(options, ...(words as Words<A>))
      const write = writerOf(listing, options)
      const next = await readPages(asked, listing, options, write)
      write.end(next)
    },
  })
}

type Reading<T extends object> = Pick<Listing<T, unknown, unknown, never, never>, 'member' | 'beside'> & {
  readonly wants?: (options: never) => ((row: T) => boolean) | null
}

/** Reads on until there are enough; the cursor of what is left. */
async function readPages<T extends object>(
  asked: Call,
  { member, wants, beside }: Reading<T>,
  options: Pages & Values<typeof PLACE>,
  { add }: Writer<T>,
): Promise<string | null> {
  const { all, limit, after } = options
  const place = placeOf(options)
  const isWanted = wants?.(options as never) ?? null
  const counter = openCounter()
  // Undefined is the API's own page. Where rows are left out here, as many as that are looked for.
  let wanted = all ? Number.POSITIVE_INFINITY : (limit ?? (isWanted ? PAGE_USUAL : undefined))
  try {
    for (let from = after; ; ) {
      const size = wanted === undefined ? undefined : isWanted ? PAGE_MOST : Math.min(wanted, PAGE_MOST)
      const page = await call<Page>(place, { ...asked, query: { ...asked.query, limit: size, after: from } })
      const fitting = (page[member] as readonly T[]).filter(isWanted ?? (() => true))
      const rows = fitting.slice(0, wanted)
      add(rows, page)
      beside?.(page)
      counter.add(rows.length)
      if (rows.length < fitting.length) return cursorOf(rows.at(-1))
      if (wanted !== undefined) wanted -= rows.length
      if (page.next === null || wanted === undefined || wanted <= 0) return page.next
      from = page.next
    }
  } finally {
    counter.end()
  }
}

const cursorOf = (row: object | undefined) => (row && 'id' in row ? String(row.id) : null)

type Written<T extends object> = Pick<
  Listing<T, unknown, unknown, never, never>,
  'member' | 'columns' | 'csv' | 'csvRow'
>

function writerOf<T extends object>(
  { member, columns, csv: names, csvRow: cellsOf }: Written<T>,
  { json, csv, all }: Pages,
): Writer<T> {
  if (json) return jsonWriter(member)
  if (csv) {
    process.stdout.write(csvRow(names))
    const add = (rows: readonly T[]) => {
      const lines = cellsOf ? rows.map(cellsOf) : csvRowsOf(rows, names)
      for (const cells of lines) process.stdout.write(csvRow(cells))
    }
    return { add, end: (next) => noteNext(next) }
  }
  const table = openTable(headingsOf(columns))
  let count = 0
  return {
    add: (rows) => {
      if (rows.length > 0) table.add(rowsOf(rows, columns))
      count += rows.length
    },
    end: (next) => {
      if (count === 0) print(paint('dim', 'none'))
      if (!all) noteNext(next)
    },
  }
}

/** One page as it came; several as one. */
function jsonWriter<T>(member: string): Writer<T> {
  const rows: T[] = []
  let last: Page | null = null
  return {
    add: (more, page) => {
      rows.push(...more)
      last = page
    },
    end: (next) => printJson({ ...last, [member]: rows, next }),
  }
}

const noteNext = (next: string | null) => {
  if (next !== null) note(`There are more: --all, or --after ${next}`)
}

/** How many there are so far, for who waits at a terminal while the rows go elsewhere. */
function openCounter() {
  const { stderr, stdout } = process
  const isSeen = stderr.isTTY && !stdout.isTTY
  let count = 0
  return {
    add: (more: number) => {
      count += more
      if (isSeen) stderr.write(`\r${count} read …\x1b[K`)
    },
    end: () => {
      if (isSeen) stderr.write('\r\x1b[K')
    },
  }
}
