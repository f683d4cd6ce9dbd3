// What the database takes, by table, and what it will take: kept rows grow with every contract, pruned ones come to a stand.
import type { Session } from '../../platform/db.ts'
import { ENGINE, engineFrom } from '../../platform/citus/distribution.ts'
import { OLD_ROWS } from '../../store/contracts/old-rows.ts'
import {
  archivedAccounts,
  contractsByDay,
  documentFactsFrom,
  sampledDocuments,
  shardSizes,
  shardSizesFrom,
  type TableSize,
  tableSizeFrom,
  tableSizes,
  tablesTogether,
} from '../../store/operator/sizes.ts'

/** `keptDays`: how long a row stays; `always` for what is never deleted, null for what ends by itself within days. */
export type SizedTable = TableSize & { readonly keptDays: number | 'always' | null }

export type DatabaseSize = {
  readonly tables: readonly SizedTable[]
  readonly bytes: number
  readonly contracts: number
  /** Made on a day, over the last seven whole days; null where none was. */
  readonly contractsPerDay: number | null
  /** What a contract leaves for good, and what it leaves until that is pruned; null without contracts. */
  readonly bytesPerContract: { readonly kept: number; readonly pruned: number } | null
  readonly forecast: Forecast | null
  /** Made more than {@link OLD_DAYS} days ago, and what they take: what archives are for. */
  readonly old: {
    readonly days: number
    readonly contracts: number
    readonly bytes: number
    /** Of these, words of search, which may leave; 0 where they do. */
    readonly removableBytes: number
  }
  readonly documents: SizedDocuments
}

/** Documents of superseded versions, which may leave once an archive is noted. */
export type SizedDocuments = {
  /** For how long they stay after the end of their contract; null for ever. */
  readonly days: number | null
  /** What would leave of a contract, as a sample of versions has it, and what of those that are old. */
  readonly bytesPerContract: number
  readonly oldBytes: number
  /** Accounts, and those that have a noted archive. */
  readonly accounts: number
  readonly archived: number
}

/** What is known of documents beside the sizes of tables. */
export type DocumentFacts = Pick<SizedDocuments, 'days' | 'accounts' | 'archived'> & {
  /** Of a version whose document is there, on average; and what share of the versions still has it. */
  readonly averageBytes: number
  readonly shareThere: number
}

const NO_DOCUMENTS: DocumentFacts = { days: null, accounts: 0, archived: 0, averageBytes: 0, shareThere: 0 }
/** What stands in the place of a document that has left. */
const REMOVED_BYTES = 140
const SAMPLED_ROWS = 20_000

/** At a rate: how much is added for good in a day and in a year, and what pruned rows come to in the end. */
export type Forecast = {
  readonly contractsPerDay: number
  readonly bytesPerDay: number
  readonly bytesPerYear: number
  /** The same where words of search leave in time. */
  readonly bytesPerYearWithRemoval: number
  /** The same where documents of superseded versions leave, too. */
  readonly bytesPerYearWithoutDocuments: number
  readonly prunedBytes: number
}

const RATE_DAYS = 7
/** An age at which nothing happens to most contracts any more. */
const OLD_DAYS = 90
const WORDS = 'search_terms'
const VERSIONS = 'contract_versions'
const SECONDS_PER_DAY = 86_400
const DAYS_PER_YEAR = 365

/** For how long words and documents stay after a contract's end; null for ever. */
type Days = { readonly wordsDays: number | null; readonly documentsDays: number | null }

/**
 * `perSecond`: contracts a second that are forecast; null for the rate of the last seven days.
 */
export async function databaseSize(
  session: Session,
  perSecond: number | null,
  { wordsDays, documentsDays }: Days,
): Promise<DatabaseSize> {
  const lookedBackDays = 1 + Math.max(OLD_DAYS, wordsDays ?? 0)
  const [sizes, engine, made] = await session.send([tableSizes(), ENGINE, contractsByDay(lookedBackDays)])
  const [shards] = engineFrom(engine?.rows[0]) === 'citus' ? await session.send([shardSizes()]) : []
  const parts = [...(sizes?.rows ?? []).map(tableSizeFrom), ...(shards?.rows ?? []).flatMap(shardSizesFrom)]
  const tables = tablesTogether(parts).map((each) => ({ ...each, keptDays: keptDaysOf(each.table, wordsDays) }))
  const days = new Map((made?.rows ?? []).map((row) => [row['days_ago'] as number, row['created'] as number]))
  const versions = tables.find(({ table }) => table === VERSIONS)?.rows ?? 0
  const percent = Math.min(100, (100 * SAMPLED_ROWS) / Math.max(1, versions))
  const [noted, sampled] = await session.send([archivedAccounts(), sampledDocuments(percent)])
  const facts = { ...documentFactsFrom(noted?.rows[0], sampled?.rows[0]), days: documentsDays }
  return sizedUp(tables, days, perSecond, facts)
}

function keptDaysOf(table: string, wordsDays: number | null): SizedTable['keptDays'] {
  if (table === WORDS) return wordsDays ?? 'always'
  const pruned = OLD_ROWS.find((each) => each.table === table)
  return pruned === undefined ? 'always' : pruned.days
}

/** `made`: contracts by how many days ago; 0 is today, which is not over. */
export function sizedUp(
  tables: readonly SizedTable[],
  made: ReadonlyMap<number, number>,
  perSecond: number | null,
  facts: DocumentFacts = NO_DOCUMENTS,
): DatabaseSize {
  const contracts = tables.find(({ table }) => table === 'contracts')?.rows ?? 0
  const within = (from: number, days: number) =>
    [...made].filter(([ago]) => ago >= from && ago < from + days).reduce((sum, [, count]) => sum + count, 0)
  const recent = within(1, RATE_DAYS) / RATE_DAYS
  const contractsPerDay = recent > 0 ? recent : null
  const kept = sumOf(tables.filter(({ keptDays }) => keptDays === 'always')) / Math.max(1, contracts)
  const words =
    sumOf(tables.filter(({ table, keptDays }) => table === WORDS && keptDays === 'always')) / Math.max(1, contracts)
  // By what was made within each table's own time; what ends by itself is no matter of contracts.
  const pruned = tables.flatMap((each) => {
    const { keptDays } = each
    if (typeof keptDays !== 'number') return []
    const of = within(0, keptDays + 1)
    return of > 0 ? [{ keptDays, perContract: bytesOf(each) / of }] : []
  })
  const old = Math.max(0, contracts - within(0, OLD_DAYS + 1))
  const documents = documentsPerContract(tables, contracts, facts)
  const rate = perSecond === null ? contractsPerDay : perSecond * SECONDS_PER_DAY
  return {
    tables,
    bytes: sumOf(tables),
    contracts,
    contractsPerDay,
    old: { days: OLD_DAYS, contracts: old, bytes: kept * old, removableBytes: words * old },
    documents: {
      days: facts.days,
      bytesPerContract: documents,
      oldBytes: documents * old,
      accounts: facts.accounts,
      archived: facts.archived,
    },
    bytesPerContract:
      contracts > 0 ? { kept, pruned: pruned.reduce((sum, { perContract }) => sum + perContract, 0) } : null,
    forecast:
      rate === null || contracts === 0
        ? null
        : {
            contractsPerDay: rate,
            bytesPerDay: kept * rate,
            bytesPerYear: kept * rate * DAYS_PER_YEAR,
            bytesPerYearWithRemoval: (kept - words) * rate * DAYS_PER_YEAR,
            bytesPerYearWithoutDocuments: (kept - words - documents) * rate * DAYS_PER_YEAR,
            prunedBytes: pruned.reduce((sum, { keptDays, perContract }) => sum + perContract * rate * keptDays, 0),
          },
  }
}

/** All versions of a contract but the newest, as far as their documents are there. */
function documentsPerContract(tables: readonly SizedTable[], contracts: number, facts: DocumentFacts): number {
  const versions = tables.find(({ table }) => table === VERSIONS)?.rows ?? 0
  const superseded = Math.max(0, versions * facts.shareThere - contracts) / Math.max(1, contracts)
  return superseded * Math.max(0, facts.averageBytes - REMOVED_BYTES)
}

const bytesOf = ({ tableBytes, indexBytes }: TableSize) => tableBytes + indexBytes
const sumOf = (tables: readonly TableSize[]) => tables.reduce((sum, each) => sum + bytesOf(each), 0)
