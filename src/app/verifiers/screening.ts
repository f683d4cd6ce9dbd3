// Screens a recipient against lists: those of the installation, and the account's own. Indexes are made once for each version of
// a list and kept in memory; a newer one takes its place.
import { LRUCache } from 'lru-cache'
import { lettersOf } from '../../domain/text/texts.ts'
import type { Recipient } from '../../domain/transfer/transfer.ts'
import { isComparable } from '../../domain/verifier/names.ts'
import { nameIndex, type NameIndex, screened } from '../../domain/verifier/screening.ts'
import type { Finding, ListHit, Verification } from '../../domain/verifier/verification.ts'
import { ENTRIES_MAX, HIT_FROM, type OwnEntry, type Verifier } from '../../domain/verifier/verifier.ts'
import type { Session } from '../../platform/db.ts'
import {
  entryFrom,
  listEntries,
  listVerifiers,
  PUBLISHED_LISTS,
  publishedEntries,
  publishedEntryFrom,
  type PublishedList,
  publishedListFrom,
  verifierFrom,
} from '../../store/verifiers/verifiers.ts'
import { type InTurns, openTurns } from './turns.ts'

export type Screening = (verification: Verification) => Promise<Finding>

type ListDeps = { readonly reader: Session; readonly inTurns: InTurns }

type OwnList = { readonly entries: readonly OwnEntry[]; readonly index: NameIndex }

// A published list of 50,000 entries takes some tens of megabytes; there are about as many as there are publishers.
const PUBLISHED_MAX = 16
const OWN_MAX = 64
const HITS_KEPT = 20

// Comparisons of two words in one turn of the event loop: a few milliseconds.
const COMPARED_AT_ONCE = 500

export function openScreening(reader: Session): Screening {
  const published = new LRUCache<string, Promise<NameIndex>>({ max: PUBLISHED_MAX })
  const own = new LRUCache<string, Promise<OwnList>>({ max: OWN_MAX })
  const deps: ListDeps = { reader, inTurns: openTurns(COMPARED_AT_ONCE) }
  const publishedIndex = (list: PublishedList) => kept(published, list.id, () => loadPublished(deps, list))
  const ownList = (list: Verifier) => kept(own, `${list.id} ${list.version}`, () => loadOwn(deps, list))
  return async (verification) => {
    const [current, verifiers] = await reader.send([PUBLISHED_LISTS, listVerifiers(verification)])
    const all = (verifiers?.rows ?? []).map(verifierFrom).filter(({ status }) => status === 'active')
    const wanted = verification.verifierId
    const ownLists = all.filter(({ id, kind }) => kind === 'list' && (wanted === null || wanted === id))
    const publishedLists = wanted === null ? (current?.rows ?? []).map(publishedListFrom) : []
    const hits: ListHit[] = []
    // An empty list is none: nobody was compared with anybody.
    const looked = { lists: 0, withNames: 0 }
    for (const list of publishedLists.filter(({ entries }) => entries > 0)) {
      const from = { hitFrom: HIT_FROM, list: list.source, version: list.version }
      hits.push(...(await hitsIn(deps, await publishedIndex(list), verification.recipient, from)))
      looked.lists++
      looked.withNames++
    }
    for (const list of ownLists) {
      const held = await ownList(list)
      hits.push(...(await ownHits(deps, held, verification.recipient, list)))
      if (held.entries.length > 0) looked.lists++
      if (held.index.names.length > 0) looked.withNames++
    }
    return findingOf(hits, looked, verification.recipient)
  }
}

/** What is being made is kept, too, so that it is made once; what failed is not. */
function kept<T>(cache: LRUCache<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = cache.get(key)
  if (known) return known
  const made = make()
  cache.set(key, made)
  made.catch(() => cache.delete(key))
  return made
}

/** Throws where entries are missing, because another list has taken its place meanwhile: it is asked again, of that one. */
async function loadPublished({ reader, inTurns }: ListDeps, list: PublishedList): Promise<NameIndex> {
  const [entries] = await reader.send([publishedEntries(list.id)])
  if (entries?.rows.length !== list.entries) throw new Error(`the list ${list.source} is being replaced`)
  return inTurns(nameIndex((entries?.rows ?? []).map(publishedEntryFrom)))
}

async function loadOwn({ reader, inTurns }: ListDeps, list: Verifier): Promise<OwnList> {
  const [found] = await reader.send([listEntries(list, { after: null, limit: ENTRIES_MAX })])
  const entries = (found?.rows ?? []).map(entryFrom)
  const named = entries.flatMap(({ id, name, note }) => (name === null ? [] : [{ entry: id, names: [name], note }]))
  return { entries, index: await inTurns(nameIndex(named)) }
}

type Listed = { readonly hitFrom: number; readonly list: string; readonly version: string }

async function hitsIn(
  { inTurns }: ListDeps,
  index: NameIndex,
  { name, country }: Recipient,
  { hitFrom, list, version }: Listed,
): Promise<ListHit[]> {
  if (!isComparable(name)) return []
  const found = await inTurns(screened(index, name, hitFrom, country))
  return found.map(({ entry, name: listed, score, note, born, countries }) => ({
    list,
    version,
    entry,
    name: listed,
    score,
    ...(note === null ? {} : { note }),
    ...(born.length === 0 ? {} : { born }),
    ...(countries.length === 0 ? {} : { countries }),
  }))
}

/** An account, a number or an address that is listed is a hit whatever the name. */
async function ownHits(
  deps: ListDeps,
  { entries, index }: OwnList,
  recipient: Recipient,
  list: Verifier,
): Promise<ListHit[]> {
  const version = String(list.version)
  const exact = entries.filter((entry) => isPaidBy(entry, recipient))
  const byValue = exact.map((entry): ListHit => {
    const shown = entry.name ?? entry.mobile ?? entry.email ?? 'an account'
    return { list: list.name, version, entry: entry.id, name: shown, score: 100 }
  })
  const byName = await hitsIn(deps, index, recipient, { hitFrom: list.hitFrom, list: list.name, version })
  return [...byValue, ...byName.filter(({ entry }) => !exact.some(({ id }) => id === entry))]
}

function isPaidBy({ wallet, mobile, email }: OwnEntry, recipient: Recipient): boolean {
  return (
    (wallet !== null && recipient.wallet !== null && lettersOf(wallet) === lettersOf(recipient.wallet)) ||
    (mobile !== null && mobile === recipient.mobile) ||
    (email !== null && email.toLowerCase() === recipient.email?.toLowerCase())
  )
}

const NO_LIST = 'No list is loaded, so nobody is screened. Load a published list, or make a list of your own.'
const NO_NAME = 'The recipient has no name to compare. A person decides.'

/** How many lists were looked at, and how many of those have a name. */
type Looked = { readonly lists: number; readonly withNames: number }

/**
 * A hit may be another person of that name: somebody looks at it. Where there is no list, or no name for the names of one, nobody was
 * looked for. Accounts, numbers and addresses alone are compared in full without a name.
 */
function findingOf(hits: readonly ListHit[], { lists, withNames }: Looked, { name }: Recipient): Finding {
  if (lists === 0) return { status: 'unavailable', reason: NO_LIST }
  const ranked = hits.toSorted((a, b) => b.score - a.score)
  const [first] = ranked
  if (!first && withNames > 0 && !isComparable(name)) return { status: 'review', evidence: { lists }, reason: NO_NAME }
  if (!first)
    return {
      status: 'pass',
      evidence: { lists },
      reason: lists === 1 ? 'Not on the list.' : `On none of ${lists} lists.`,
    }
  const others = hits.length > 1 ? `, and ${hits.length - 1} more` : ''
  return {
    status: 'review',
    score: first.score,
    evidence: { lists, hits: ranked.slice(0, HITS_KEPT) },
    reason: `Like ${first.name} of ${first.list} (entry ${first.entry})${others}. A person decides.`,
  }
}
