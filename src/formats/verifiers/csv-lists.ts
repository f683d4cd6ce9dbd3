// The published lists in CSV: OFAC's SDN.CSV with ALT.CSV and ADD.CSV, the EU's consolidated list, the UK's, and a list of one's own.
import { csvRows } from './csv-rows.ts'
import { dayOf, party, type Told } from './party.ts'

type Chunks = AsyncIterable<string>

/** OFAC writes nothing as -0-. */
const said = (cell: string | undefined): string => (cell === undefined || cell.trim() === '-0-' ? '' : cell.trim())

/** The files beside SDN.CSV: other names and addresses, each row with the number of the entry that it belongs to. */
export type OfacBeside = { readonly aliases: Chunks | null; readonly addresses: Chunks | null }

/** What the files beside it say is held: names that are a fifth of the list, and countries alone of its addresses. */
export async function* ofacCsv(chunks: Chunks, beside: OfacBeside): AsyncGenerator<Told> {
  const aliases = beside.aliases ? await byEntry(aliasesIn(beside.aliases)) : new Map<string, string[]>()
  const places = beside.addresses ? await byEntry(countriesIn(beside.addresses)) : new Map<string, string[]>()
  for await (const row of csvRows(chunks, ',')) {
    const [id, name, type, program, title] = row.map(said)
    const remarks = said(row[11])
    if (id === undefined || !/^\d+$/.test(id)) continue
    const told = party({
      entry: id,
      names: [name, ...(aliases.get(id) ?? [])],
      note: [type === '' ? 'entity' : type, program, title],
      born: [...remarks.matchAll(/\bDOB ([^;.]+)/g)].map(([, born = '']) => born),
      countries: [
        ...[...remarks.matchAll(/\b(?:nationality|citizen) ([^;.]+)/g)].map(([, country = '']) => country),
        ...(places.get(id) ?? []),
      ],
    })
    if (told) yield told
  }
}

type OfEntry = { readonly entry: string; readonly text: string }

async function byEntry(rows: AsyncIterable<OfEntry>): Promise<Map<string, string[]>> {
  const all = new Map<string, string[]>()
  for await (const { entry, text } of rows) {
    const known = all.get(entry)
    if (known === undefined) all.set(entry, [text])
    else if (!known.includes(text)) known.push(text)
  }
  return all
}

const isNumber = (cell: string) => /^\d+$/.test(cell)

/** ALT.CSV: number of the entry, of the name, what sort of name, name, remarks. Another file would bring in names of nobody. */
async function* aliasesIn(chunks: Chunks): AsyncGenerator<OfEntry> {
  for await (const row of csvRows(chunks, ',')) {
    const [entry = '', , sort = '', name = ''] = row.map(said)
    if (!isNumber(entry)) continue
    if (row.length !== 5 || !/^(?:aka|fka|nka|a\.k\.a\.|f\.k\.a\.|n\.k\.a\.)$/i.test(sort))
      throw new Error('The file of aliases is no ALT.CSV: aka, fka or nka stands in the third of its five columns.')
    if (name !== '') yield { entry, text: name }
  }
}

/** ADD.CSV: number of the entry, of the address, address, city and postal code, country, remarks. */
async function* countriesIn(chunks: Chunks): AsyncGenerator<OfEntry> {
  for await (const row of csvRows(chunks, ',')) {
    const [entry = '', address = '', , , country = ''] = row.map(said)
    if (!isNumber(entry)) continue
    if (row.length !== 6 || !isNumber(address))
      throw new Error('The file of addresses is no ADD.CSV: it has six columns, and the first two are numbers.')
    if (country !== '') yield { entry, text: country }
  }
}

type Row = Readonly<Record<string, string>>

/** Rows under the names of their columns. `skip`: rows before the header, which are told. */
async function* named(
  rows: AsyncGenerator<string[]>,
  isHeader: (row: readonly string[]) => boolean,
): AsyncGenerator<{ readonly before: readonly string[] } | { readonly row: Row }> {
  let header: readonly string[] | null = null
  for await (const row of rows) {
    if (header) {
      const names = header
      yield { row: Object.fromEntries(names.map((name, i) => [name, row[i]?.trim() ?? ''])) }
    } else if (isHeader(row)) header = row.map((name) => name.trim())
    else yield { before: row }
  }
  if (!header) throw new Error('The file has no header of such a list.')
}

/**
 * One party for each run of rows that belong together. Where a list comes back to one later, that is an entry of its own, with a
 * number behind its id: nothing is held but ids.
 */
async function* grouped(
  rows: AsyncGenerator<{ readonly before: readonly string[] } | { readonly row: Row }>,
  {
    idOf,
    told,
    published,
  }: {
    readonly idOf: (row: Row) => string
    readonly told: (entry: string, rows: readonly Row[]) => Told | null
    readonly published: (cells: readonly string[]) => string | null
  },
): AsyncGenerator<Told> {
  const seen = new Map<string, number>()
  let [id, held] = ['', [] as Row[]]
  const end = () => {
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    return held.length === 0 || id === '' ? null : told(count === 1 ? id : `${id}/${count}`, held)
  }
  let isDated = false
  for await (const each of rows) {
    const day = isDated ? null : published('row' in each ? Object.values(each.row) : each.before)
    if (day !== null) {
      isDated = true
      yield { publishedOn: day }
    }
    if (!('row' in each)) continue
    if (idOf(each.row) !== id) {
      const one = end()
      if (one) yield one
      ;[id, held] = [idOf(each.row), []]
    }
    held.push(each.row)
  }
  const last = end()
  if (last) yield last
}

const whole = (...parts: readonly (string | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== '').join(' ')

/** The EU's: a row for each name, address and birthday, together by their Entity_LogicalId. */
export function euCsv(chunks: Chunks): AsyncGenerator<Told> {
  const rows = named(csvRows(chunks, ';'), (row) => row.some((cell) => cell.trim() === 'Entity_LogicalId'))
  return grouped(rows, {
    idOf: (row) => row['Entity_LogicalId'] ?? '',
    // The first column is the day on which the file was made.
    published: ([first = '']) => dayOf(first),
    told: (entry, all) =>
      party({
        entry,
        names: all.flatMap((row) => [
          row['NameAlias_WholeName'],
          whole(row['NameAlias_FirstName'], row['NameAlias_MiddleName'], row['NameAlias_LastName']),
        ]),
        note: all.flatMap((row) => [
          row['Entity_SubjectType'],
          row['Entity_Regulation_Programme'],
          row['Entity_Remark'],
        ]),
        born: all.map((row) => row['BirthDate_BirthDate'] || row['BirthDate_Year'] || ''),
        countries: all.flatMap((row) => [
          row['Citizenship_CountryIso2Code'] ?? '',
          row['Address_CountryIso2Code'] ?? '',
          row['BirthDate_CountryIso2Code'] ?? '',
        ]),
      }),
  })
}

/** The UK's in both of its forms: OFSI's consolidated list (Group ID) and the UK Sanctions List (Unique ID). */
export function ukCsv(chunks: Chunks): AsyncGenerator<Told> {
  const rows = named(csvRows(chunks, ','), (row) => row.some((cell) => /^(?:Group ID|Unique ID)$/.test(cell.trim())))
  return grouped(rows, {
    idOf: (row) => row['Unique ID'] || row['Group ID'] || '',
    // The line before the header says when the list was made.
    published: (cells) => (/updated|report date/i.test(cells[0] ?? '') ? dayOf(cells.join(' ')) : null),
    told: (entry, all) =>
      party({
        entry,
        names: all.flatMap((row) => [
          whole(...[1, 2, 3, 4, 5, 6].map((n) => row[`Name ${n}`])),
          row['Name Non-Latin Script'] ?? row['Name non-latin script'],
        ]),
        note: all.flatMap((row) => [
          row['Group Type'] ?? row['Individual, Entity, Ship'],
          row['Regime'] ?? row['Regime Name'],
        ]),
        born: all.map((row) => row['DOB'] ?? row['D.O.B'] ?? ''),
        countries: all.flatMap((row) => [
          row['Nationality'] ?? row['Nationality(/ies)'] ?? '',
          row['Country'] ?? row['Address Country'] ?? '',
          row['Country of Birth'] ?? row['Country of birth'] ?? '',
        ]),
      }),
  })
}

/** Columns id, name, aliases (between semicolons), born, country and note; all but name may be left out. */
export async function* ownCsv(chunks: Chunks): AsyncGenerator<Told> {
  const rows = named(csvRows(chunks, ','), (row) => row.some((cell) => cell.trim() === 'name'))
  let number = 0
  for await (const each of rows) {
    if (!('row' in each)) continue
    number += 1
    const { id, name, aliases = '', born, country, note } = each.row
    const told = party({
      entry: id || String(number),
      names: [name, ...aliases.split(';')],
      note: [note],
      born: [born ?? ''],
      countries: [country ?? ''],
    })
    if (told) yield told
  }
}
