// Loads a published list: the new one is written beside the one in force and takes its place in one moment, once it is whole. Until
// then, and where anything goes wrong, the old one screens.
import type { ListedParty, Told } from '../../formats/verifiers/party.ts'
import type { Session } from '../../platform/db.ts'
import { copyListsInForce, readListsInForce } from '../../store/operator/lane-servers.ts'
import {
  checkedAgain,
  clearEntries,
  clearSource,
  currentList,
  currentListFrom,
  insertList,
  insertListEntries,
  inForce,
  putAside,
} from '../../store/verifiers/published.ts'

export type LoadedList = {
  readonly source: string
  readonly version: string
  readonly publishedOn: string | null
  readonly hash: string
  readonly entries: number
  readonly names: number
  /** Of the list that was in force; null where there was none. */
  readonly before: number | null
  readonly outcome: 'loaded' | 'unchanged'
}

/** Why a list was not loaded, in a sentence. */
export type NotLoaded = { readonly kind: 'not loaded'; readonly why: string }

export type ListFile = {
  readonly source: string
  /** SHA-256 of the file, in hexadecimal. */
  readonly hash: string
  /** Where the file does not say when it was published. */
  readonly publishedOn: string | null
  /** A list that shrinks by more than a tenth is loaded all the same. */
  readonly force: boolean
  readonly read: () => AsyncIterable<Told>
}

const BATCH = 500
const SHRINKS_TO = 0.9

export async function loadList(session: Session, id: string, file: ListFile): Promise<LoadedList | NotLoaded> {
  const outcome = await loadAtHome(session, id, file)
  // Verifications are judged on each server by when a list was loaded. After a fault the same file is loaded again, and this with it.
  const [inForce] = await session.send([readListsInForce()])
  await session.send([copyListsInForce(inForce?.rows ?? [])])
  return outcome
}

async function loadAtHome(session: Session, id: string, file: ListFile): Promise<LoadedList | NotLoaded> {
  const { source, hash, force } = file
  const [found] = await session.send([currentList(source)])
  const [before = null] = (found?.rows ?? []).map(currentListFrom)
  if (before?.hash === hash && !force) {
    await session.send([checkedAgain(before.id)])
    const { version, publishedOn, entries } = before
    return { source, version, publishedOn, hash, entries, names: 0, before: entries, outcome: 'unchanged' }
  }
  // What an earlier run left that did not end.
  await session.send([clearSource(source)])
  await session.send([insertList({ id, source, version: hash.slice(0, 12), hash })])
  const counted = await written(session, id, file)
  const why = 'why' in counted ? counted.why : whyNot(counted.entries, before?.entries ?? null, force)
  if (why !== null || 'why' in counted) {
    await session.send([clearEntries(id)])
    return { kind: 'not loaded', why: why ?? 'The file cannot be read.' }
  }
  const { entries, names, publishedOn } = counted
  const version = publishedOn ?? hash.slice(0, 12)
  const switched = await session
    .transaction([], () => ({
      statements: [putAside(source), inForce({ id, version, publishedOn, entries })],
      value: null,
    }))
    .then(() => session.send([currentList(source)]))
  if ((switched[0]?.rows ?? []).map(currentListFrom)[0]?.id !== id)
    return { kind: 'not loaded', why: 'Another run loads this list at the same time. Look at it, and load it again.' }
  if (before) await session.send([clearEntries(before.id)])
  return { source, version, publishedOn, hash, entries, names, before: before?.entries ?? null, outcome: 'loaded' }
}

type Counted = { readonly entries: number; readonly names: number; readonly publishedOn: string | null }

async function written(session: Session, id: string, file: ListFile): Promise<Counted | { readonly why: string }> {
  let [entries, names, publishedOn] = [0, 0, file.publishedOn]
  let held: ListedParty[] = []
  const flush = async () => {
    if (held.length > 0) await session.send([insertListEntries(id, held)])
    held = []
  }
  try {
    for await (const told of file.read()) {
      if ('publishedOn' in told) {
        publishedOn ??= told.publishedOn
        continue
      }
      entries += 1
      names += told.names.length
      held.push(told)
      if (held.length >= BATCH) await flush()
    }
    await flush()
  } catch (fault) {
    return { why: `Nothing was loaded: ${fault instanceof Error ? fault.message : 'the file cannot be read'}` }
  }
  return { entries, names, publishedOn }
}

function whyNot(entries: number, before: number | null, force: boolean): string | null {
  if (entries === 0) return 'The file has no entry of the form. Is --format right?'
  if (before === null || force || entries >= before * SHRINKS_TO) return null
  return `The list has ${entries} entries and the one in force has ${before}: more than a tenth is gone. If that is right, load it with --force.`
}
