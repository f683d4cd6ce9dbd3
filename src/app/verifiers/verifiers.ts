// Verifiers that an account makes: create, change, archive, and the entries of its own lists.
import { changed } from '../../domain/account/audit.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import {
  archivedVerifier,
  type CodeTaker,
  ENTRIES_MAX,
  type OwnEntry,
  type OwnKind,
  type Verifier,
  verifierNotFound,
  VERIFIERS_MAX,
} from '../../domain/verifier/verifier.ts'
import { cardInUrl } from '../../domain/text/cards.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import type { OwnedKey } from '../../store/columns.ts'
import {
  countAllEntries,
  countEntries,
  deleteEntry,
  entryFrom,
  type EntryPage,
  findEntry,
  findVerifier,
  insertEntries,
  listEntries,
  listVerifiers,
  type PublishedList,
  PUBLISHED_LISTS,
  publishedListFrom,
  saveVerifier,
  saveVerifierSecrets,
  verifierFrom,
  verifierSecretsFrom,
} from '../../store/verifiers/verifiers.ts'
import { type AccountChange, changeAccount, type Changer, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'
import { newVerifierSecret, withSecret } from './secrets.ts'

type VerifierDeps = Pick<Deps, 'changes' | 'newId' | 'reader' | 'webhooks'>

/** A verifier as it is shown, with how many entries its list has. */
export type CountedVerifier = {
  readonly verifier: Verifier
  readonly entries: number
  /** A secret that was just made; it is shown this once. */
  readonly secret?: string
}

export type AllVerifiers = {
  readonly own: readonly CountedVerifier[]
  /** Lists of the installation, which are those of every account. */
  readonly published: readonly PublishedList[]
}

export async function allVerifiers({ reader }: Pick<Deps, 'reader'>, owner: AccountKey): Promise<AllVerifiers> {
  const [found, counted, lists] = await reader.send([listVerifiers(owner), countAllEntries(owner), PUBLISHED_LISTS])
  const counts = new Map((counted?.rows ?? []).map((row) => [row['verifier_id'] as string, row['count'] as number]))
  const own = (found?.rows ?? []).map(verifierFrom)
  return {
    own: own.map((verifier) => ({ verifier, entries: counts.get(verifier.id) ?? 0 })),
    published: (lists?.rows ?? []).map(publishedListFrom),
  }
}

export async function oneVerifier({ reader }: Pick<Deps, 'reader'>, key: OwnedKey): Promise<CountedVerifier | Refusal> {
  const [found, counted] = await reader.send([findVerifier(key), countEntries(key)])
  const [verifier] = (found?.rows ?? []).map(verifierFrom)
  return verifier ? { verifier, entries: Number(counted?.rows[0]?.['count'] ?? 0) } : verifierNotFound()
}

export type WantedVerifier = {
  readonly livemode: boolean
  readonly kind: OwnKind
  readonly name: string
  readonly hitFrom: number
  readonly url: string | null
  readonly to: CodeTaker | null
}

export async function createVerifier(
  deps: VerifierDeps,
  changer: Changer,
  wanted: WantedVerifier,
): Promise<CountedVerifier | Refusal> {
  const fault = wanted.url === null ? null : faultOfUrl(deps, wanted.url)
  if (fault) return fault
  const { lane, accountId } = changer
  const id = deps.newId(lane)
  const secret = wanted.kind === 'list' ? null : newVerifierSecret()
  return changeAccount<CountedVerifier>(deps.changes, changer, [listVerifiers(changer)], ([found], { nowMs }) => {
    const active = (found?.rows ?? []).map(verifierFrom).filter(({ status }) => status === 'active')
    if (active.length >= VERIFIERS_MAX) return full()
    const times = { createdAt: nowMs, changedAt: nowMs }
    const verifier: Verifier = { ...wanted, ...times, lane, accountId, id, version: 1, status: 'active' }
    const change = written('created', null, verifier, 0)
    if (secret === null) return change
    const made = { text: secret, nowMs, overlapSeconds: 0 }
    const sealed = saveVerifierSecrets(verifier, withSecret(deps.webhooks.sealing, verifier, [], made))
    return { ...change, statements: [...change.statements, sealed], value: { ...change.value, secret } }
  })
}

const full = () =>
  refuse('verifiers_full', null, `The account has ${VERIFIERS_MAX} verifiers. Archive one that is not used any more.`)

function faultOfUrl({ webhooks }: Pick<Deps, 'webhooks'>, url: string): Refusal | null {
  const fault = webhooks.faultOfUrl(url)
  const withCard = fault === null ? cardInUrl('url', url) : invalid('url', fault)
  return withCard && refuseAll([withCard])
}

/** A new secret of one that is called. The one before signs too until the overlap is over. */
export function rollVerifierSecret(
  deps: VerifierDeps,
  changer: Changer,
  id: string,
  overlapSeconds: number,
): Promise<CountedVerifier | Refusal> {
  const key = keyOf(changer, id)
  const secret = newVerifierSecret()
  return changeAccount<CountedVerifier>(deps.changes, changer, [findVerifier(key)], ([found], { nowMs }) => {
    const [verifier] = (found?.rows ?? []).map(verifierFrom)
    const [before = []] = (found?.rows ?? []).map(verifierSecretsFrom)
    if (!verifier || verifier.kind === 'list') return verifierNotFound()
    if (verifier.status === 'archived') return archivedVerifier()
    const sealed = withSecret(deps.webhooks.sealing, verifier, before, { text: secret, nowMs, overlapSeconds })
    return {
      statements: [saveVerifierSecrets(key, sealed)],
      audited: [audited('secret_rolled', id, { overlap_seconds: overlapSeconds })],
      events: [],
      value: { verifier, entries: 0, secret },
    }
  })
}

export type VerifierPatch = { readonly name?: string; readonly hitFrom?: number }

export function updateVerifier(
  deps: VerifierDeps,
  changer: Changer,
  id: string,
  patch: VerifierPatch,
): Promise<CountedVerifier | Refusal> {
  return changeVerifier(deps, changer, id, 'updated', (before, nowMs) =>
    before.status === 'archived' ? archivedVerifier() : { ...before, ...patch, changedAt: nowMs },
  )
}

/** Archives a verifier: nothing is verified by it any more. What was stays. */
export function archiveVerifier(deps: VerifierDeps, changer: Changer, id: string): Promise<CountedVerifier | Refusal> {
  return changeVerifier(deps, changer, id, 'archived', (before, nowMs) =>
    before.status === 'archived' ? before : { ...before, status: 'archived', changedAt: nowMs },
  )
}

type Verb = 'created' | 'updated' | 'archived'

function changeVerifier(
  { changes }: VerifierDeps,
  changer: Changer,
  id: string,
  verb: Verb,
  decide: (before: Verifier, nowMs: number) => Verifier | Refusal,
): Promise<CountedVerifier | Refusal> {
  const key = keyOf(changer, id)
  const load = [findVerifier(key), countEntries(key)]
  return changeAccount<CountedVerifier>(changes, changer, load, ([found, counted], { nowMs }) => {
    const [before] = (found?.rows ?? []).map(verifierFrom)
    if (!before) return verifierNotFound()
    const entries = Number(counted?.rows[0]?.['count'] ?? 0)
    const after = decide(before, nowMs)
    if (isRefusal(after)) return after
    const isSame = changed(said(before), said(after)) === null
    if (isSame) return unchanged({ verifier: before, entries })
    return written(verb, before, { ...after, version: before.version + 1 }, entries)
  })
}

const said = ({ kind, name, status, hitFrom, url, to }: Verifier) => ({
  kind,
  name,
  status,
  hit_from: hitFrom,
  url,
  to,
})

function written(
  verb: Verb,
  before: Verifier | null,
  verifier: Verifier,
  entries: number,
): AccountChange<CountedVerifier> {
  const difference = changed(before ? said(before) : {}, said(verifier)) ?? { before: {}, after: {} }
  const object = { type: 'verifier', id: verifier.id }
  return {
    statements: saveVerifier(verifier),
    audited: [{ action: `verifier.${verb}`, object, before: before && difference.before, after: difference.after }],
    events: [],
    value: { verifier, entries },
  }
}

export type NewEntry = Omit<OwnEntry, 'id'>

/** Adds entries to a list of the account's own: all of them, or none. */
export function addEntries(
  deps: VerifierDeps,
  changer: Changer,
  id: string,
  added: readonly NewEntry[],
): Promise<{ readonly verifier: CountedVerifier; readonly entries: readonly OwnEntry[] } | Refusal> {
  const key = keyOf(changer, id)
  const entries = added.map((entry): OwnEntry => ({ ...entry, id: deps.newId(changer.lane) }))
  const load = [findVerifier(key), countEntries(key)]
  return changeAccount(deps.changes, changer, load, ([found, counted], { nowMs }) => {
    const list = listIn(found?.rows.map(verifierFrom)[0])
    if (isRefusal(list)) return list
    const total = Number(counted?.rows[0]?.['count'] ?? 0) + entries.length
    if (total > ENTRIES_MAX) return entriesFull()
    const after = { ...list, version: list.version + 1, changedAt: nowMs }
    return {
      statements: [...saveVerifier(after), insertEntries(key, entries)],
      audited: [audited('entries_added', id, { entries: entries.length })],
      events: [],
      value: { verifier: { verifier: after, entries: total }, entries },
    }
  })
}

const entriesFull = () =>
  refuse('list_full', null, `A list of your own has at most ${ENTRIES_MAX} entries. Make another list for the rest.`)

const NO_ENTRY = '00000000-0000-0000-0000-000000000000'

export function removeEntry(
  deps: VerifierDeps,
  changer: Changer,
  id: string,
  entryId: string,
): Promise<CountedVerifier | Refusal> {
  const key = keyOf(changer, id)
  // What is no id is one of nothing; whether the list is there is said first.
  const entryKey = isUuid(entryId) ? entryId : NO_ENTRY
  const load = [findVerifier(key), countEntries(key), findEntry(key, entryKey)]
  return changeAccount<CountedVerifier>(deps.changes, changer, load, ([found, counted, entry], { nowMs }) => {
    const list = listIn(found?.rows.map(verifierFrom)[0])
    if (isRefusal(list)) return list
    const [gone] = (entry?.rows ?? []).map(entryFrom)
    if (!gone) return refuse('list_entry_not_found', 'entry', 'The list has no entry with this id.')
    const after = { ...list, version: list.version + 1, changedAt: nowMs }
    const { id: _, ...values } = gone
    return {
      statements: [...saveVerifier(after), deleteEntry(key, entryKey)],
      audited: [{ action: 'verifier.entry_removed', object: { type: 'verifier', id }, before: values, after: null }],
      events: [],
      value: { verifier: after, entries: Number(counted?.rows[0]?.['count'] ?? 1) - 1 },
    }
  })
}

function listIn(verifier: Verifier | undefined): Verifier | Refusal {
  if (!verifier) return verifierNotFound()
  if (verifier.kind !== 'list') return verifierNotFound()
  return verifier.status === 'archived' ? archivedVerifier() : verifier
}

const audited = (verb: string, id: string, after: Readonly<Record<string, unknown>>) => ({
  action: `verifier.${verb}` as const,
  object: { type: 'verifier', id },
  before: null,
  after,
})

export async function entriesOf(
  { reader }: Pick<Deps, 'reader'>,
  key: OwnedKey,
  page: EntryPage,
): Promise<readonly OwnEntry[] | Refusal> {
  const [found, entries] = await reader.send([findVerifier(key), listEntries(key, page)])
  if (!found?.rows[0]) return verifierNotFound()
  return (entries?.rows ?? []).map(entryFrom)
}

const keyOf = ({ lane, accountId }: AccountKey, id: string): OwnedKey => ({ lane, accountId, id })
