// The keys, members, profiles and verifiers that a policy names: they are the account's, or the policy is not written. What names
// nobody would deny nothing, and nobody would notice.
import { invalid, isRefusal, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import type { Condition } from '../../domain/policy/condition.ts'
import type { PolicyTerms } from '../../domain/policy/decide.ts'
import type { Policy, PolicyFacts, PolicyNames } from '../../domain/policy/policy.ts'
import type { Result, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { findReferents, type Referent, referentFrom, type ReferentKind } from '../../store/policies/names.ts'
import type { Deps } from '../deps.ts'

/** An id in a policy: what it is to name, and where it stands. */
type Named = { readonly id: string; readonly kind: ReferentKind; readonly param: string }

const KINDS: Readonly<Record<string, Exclude<ReferentKind, 'verifier'>>> = {
  key: 'key',
  member: 'member',
  'recipient.profile': 'profile',
}

const MENDS: Readonly<Record<ReferentKind, string>> = {
  key: 'names no API key of yours: GET /keys lists them',
  member: 'names no member of yours: GET /members lists them',
  profile: 'names no profile of yours: GET /profiles lists them',
  verifier: 'names no verifier of yours: GET /verifiers lists them',
}

function namedIn({ when, then }: Pick<PolicyFacts, 'when' | 'then'>): Named[] {
  const ofConditions = when.flatMap((condition, place) => {
    const kind = KINDS[condition.field]
    if (kind === undefined || !('op' in condition) || !('values' in condition)) return []
    return condition.values.map((id, i) => ({ id, kind, param: `when.${place}.values.${i}` }))
  })
  const verifier = then.kind === 'verification' ? then.verifierId : null
  if (verifier === null) return ofConditions
  return [...ofConditions, { id: verifier, kind: 'verifier', param: 'then.verifier' }]
}

/** Loads what the terms name. */
export function referentsOf(key: AccountKey, terms: Pick<PolicyFacts, 'when' | 'then'> | null): Statement {
  const named = terms ? namedIn(terms) : []
  const idsOf = (isKey: boolean) => [
    ...new Set(named.flatMap(({ id, kind }) => ((kind === 'key') === isKey ? [id] : []))),
  ]
  return findReferents(key, { keys: idsOf(true), ids: idsOf(false) })
}

/**
 * The terms with what people call whatever they name, or what of it is not there. What the policy named before stays: a key may
 * have gone since.
 */
export function withNames<T extends PolicyTerms>(
  terms: T,
  loaded: Result | undefined,
  before: Policy | null = null,
): (T & { readonly names: PolicyNames }) | Refusal {
  const referents = (loaded?.rows ?? []).map(referentFrom)
  const known = before ? namedIn(before) : []
  const problems = namedIn(terms).flatMap((named) => {
    const isKnown = known.some(({ id, kind }) => id === named.id && kind === named.kind)
    const isOther = before !== null && JSON.stringify(before.then) !== JSON.stringify(terms.then)
    if (isKnown && !(named.kind === 'verifier' && isOther)) return []
    return faultOf(named, terms, referents) ?? []
  })
  const [first, ...others] = problems
  if (first) return refuseAll([first, ...others])
  const when = terms.when.map((condition) => withOrigins(condition, referents))
  return {
    ...terms,
    when,
    names: { ...before?.names, ...Object.fromEntries(referents.map(({ id, name }) => [id, name])) },
  }
}

/**
 * A policy that names a key goes on with those that it is rolled into, and they are known by the first of them all: so it keeps the
 * first of those that it names, too. One that was not looked for stands as it did.
 */
function withOrigins(condition: Condition, referents: readonly Referent[]): Condition {
  if (condition.field !== 'key') return condition
  const { field, op, values } = condition
  const found = referents.filter(({ id, kind }) => kind === 'key' && values.includes(id))
  if (found.length < new Set(values).size) return condition
  const origins = found.flatMap(({ origin }) => origin ?? [])
  return { field, op, values, ...(origins.length === 0 ? {} : { origins: [...new Set(origins)] }) }
}

function faultOf({ id, kind, param }: Named, { then }: PolicyTerms, referents: readonly Referent[]): Problem | null {
  const found = referents.find((each) => each.id === id && each.kind === kind)
  if (!found) return invalid(param, `${param} ${MENDS[kind]}.`)
  if (kind !== 'verifier' || then.kind !== 'verification' || found.verifies === then.verification) return null
  if (found.verifies === null) return invalid(param, `${param}: the verifier “${found.name}” is archived.`)
  return invalid(
    param,
    `${param}: the verifier “${found.name}” is of the kind ${found.verifies}, and not ${then.verification}.`,
  )
}

/** The same of a policy that is not written: what stands in the account now. */
export async function lookedUp(
  { reader }: Pick<Deps, 'reader'>,
  key: AccountKey,
  terms: PolicyTerms | Refusal,
): Promise<(PolicyTerms & { readonly names: PolicyNames }) | Refusal> {
  if (isRefusal(terms)) return terms
  const [found] = await reader.send([referentsOf(key, terms)])
  return withNames(terms, found)
}
