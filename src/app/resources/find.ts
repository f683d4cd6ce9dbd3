// A search: what the index and the ids offer is loaded and checked against what is there now, newest first, until a page is
// full or enough was looked at.
import { type Asked, contractFacts, fieldsAsked, idRange, profileFacts } from '../../domain/resource/terms.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import type { Profile } from '../../domain/profile/profile.ts'
import type { Session, Statement } from '../../platform/db.ts'
import { scopeOf } from '../../platform/scope.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { loadContracts, readContractFrom } from '../../store/contracts/contracts.ts'
import { findProfiles, profileFrom } from '../../store/profiles/profiles.ts'
import {
  contractsInRange,
  foundFrom,
  objectsWithTerm,
  profilesInRange,
  type Progress,
} from '../../store/resources/terms.ts'
import type { SearchSession } from './indexing.ts'

export type FoundType = Contract['kind'] | 'profile'

/** An object that answers the query, and by which of its fields. */
export type Hit = FoundObject & { readonly fields: readonly string[] }

type FoundObject =
  | { readonly type: Contract['kind']; readonly object: Contract }
  | { readonly type: 'profile'; readonly object: Profile }

export type SearchPage = {
  readonly hits: readonly Hit[]
  /** Where to go on; null at the end. */
  readonly next: Place | null
  /** Where not all of the account's history is in the index: until when it is. */
  readonly indexedUntilMs: number | null
  /** Contracts that ended up to then are found by their ids alone; null where all are found. */
  readonly removedUntilMs: number | null
}

export type Search = {
  readonly asked: Asked
  readonly types: ReadonlySet<FoundType>
  readonly limit: number
  /** Where the page before ended. */
  readonly after: Place | null
}

/** A place in the answer: before an id, among what answers as a whole or by its words. */
export type Place = { readonly by: 'whole' | 'words'; readonly before: string }

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** A page is mostly full after one look. What is passed over, terms of former drafts, makes the next looks longer. */
const MORE_AT_ONCE = 200
/** Of several words the index says itself whether all are there. */
const WORDS_AT_ONCE = 250
/** What one request looks at. A page may end before it is full, with a place to go on from. */
const LOOKS_MAX = 10

/** `catchUp` brings the index of search up to what the account wrote last. */
export type FindDeps = {
  readonly search: SearchSession
  readonly catchUp: { readonly search: (key: AccountKey) => Promise<Progress> }
}

export async function findObjects(deps: FindDeps, key: AccountKey, search: Search): Promise<SearchPage> {
  const { position, indexed, atMs, removedUntilMs } = await deps.catchUp.search(key)
  const page = await deps.search.run(async (own) => {
    const first = await readOn(own, key, search, search.after ?? { by: 'whole', before: NEWEST })
    const isNothing = first.hits.length === 0 && first.next === null && search.after === null
    return isNothing && search.asked.wordLookUp ? readOn(own, key, search, { by: 'words', before: NEWEST }) : first
  })
  return { ...page, indexedUntilMs: indexed < position ? atMs : null, removedUntilMs }
}

type Page = Pick<SearchPage, 'hits' | 'next'>

async function readOn(session: Session, key: AccountKey, search: Search, { by, before: from }: Place): Promise<Page> {
  const { asked, limit } = search
  const hits: Hit[] = []
  let before = from
  for (let look = 0; look < LOOKS_MAX; look++) {
    const ranges = by === 'words' ? wordRange(key, asked, before, look) : wholeRanges(key, asked, before, look, limit)
    const { candidates, goOnBefore } = await candidatesIn(session, ranges)
    hits.push(...(await checked(session, key, search, candidates)))
    const last = hits.length > limit ? hits[limit - 1] : undefined
    if (last) return { hits: hits.slice(0, limit), next: { by, before: last.object.id } }
    if (goOnBefore === null) return { hits, next: null }
    before = goOnBefore
  }
  return { hits, next: { by, before } }
}

/** Ids, newest first, and where to go on before: nowhere where nothing is left. */
type Candidates = { readonly candidates: readonly string[]; readonly goOnBefore: string | null }

/** Objects that a statement reads, newest first, so many at most. */
type Range = { readonly statement: Statement; readonly most: number }

function wholeRanges(
  key: AccountKey,
  { lookUps, idDigits }: Asked,
  before: string,
  look: number,
  limit: number,
): Range[] {
  const most = look === 0 ? limit + 1 : MORE_AT_ONCE
  const ids = idDigits === null ? null : idRange(idDigits)
  const byId = ids ? [contractsInRange, profilesInRange].map((inRange) => inRange(key, ids, before, most)) : []
  const byTerm = lookUps.map((each) => objectsWithTerm(key, each, before, most))
  return [...byTerm, ...byId].map((statement) => ({ statement, most }))
}

function wordRange(key: AccountKey, { wordLookUp }: Asked, before: string, look: number): Range[] {
  const most = WORDS_AT_ONCE * (look + 1)
  return wordLookUp ? [{ statement: objectsWithTerm(key, wordLookUp, before, most), most }] : []
}

/** What the ranges offer next, each object once. Beyond the end of a range that has more, the others wait. */
async function candidatesIn(session: Session, ranges: readonly Range[]): Promise<Candidates> {
  const results = await session.send(ranges.map(({ statement }) => statement))
  const found = results.map(({ rows }) => rows.map(foundFrom))
  const ends = found.flatMap((each, i) => (each.length === ranges[i]?.most ? [each.at(-1)?.id ?? ''] : []))
  const goOnBefore = ends.toSorted().at(-1) ?? null
  const ids = found
    .flat()
    .flatMap(({ id, isWhole }) => (isWhole && (goOnBefore === null || id >= goOnBefore) ? [id] : []))
  return { candidates: [...new Set(ids)].toSorted().toReversed(), goOnBefore }
}

/** Those that answer the query as they are now: terms of what was changed stay in the index. */
async function checked(
  session: Session,
  key: AccountKey,
  { asked, types }: Search,
  candidates: readonly string[],
): Promise<Hit[]> {
  if (candidates.length === 0) return []
  const keys = candidates.map((id) => ({ ...key, id }))
  const [contracts, profiles] = await session.send([loadContracts(scopeOf(keys), keys), findProfiles(key, candidates)])
  const objects: FoundObject[] = [
    ...(contracts?.rows ?? []).map(readContractFrom).map((object) => ({ type: object.kind, object })),
    ...(profiles?.rows ?? []).map(profileFrom).map((object) => ({ type: 'profile' as const, object })),
  ]
  const byId = new Map(objects.map((each) => [each.object.id, each]))
  return candidates.flatMap((id) => {
    const found = byId.get(id)
    if (!found || !types.has(found.type)) return []
    const isById = asked.idDigits !== null && id.replaceAll('-', '').startsWith(asked.idDigits)
    const facts = found.type === 'profile' ? profileFacts(found.object) : contractFacts(found.object)
    const fields = [...(isById ? ['id'] : []), ...fieldsAsked(facts, asked)]
    return fields.length > 0 ? [{ ...found, fields }] : []
  })
}
