// Scopes as people choose them: what reads, what changes, and what decides who else may.
import type { Scope } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'

export type ScopeGroup = 'reads' | 'writes' | 'manages'

const MANAGING = /^(keys|members|accounts):write$/

export const groupOf = (scope: string): ScopeGroup =>
  scope.endsWith(':read') ? 'reads' : MANAGING.test(scope) ? 'manages' : 'writes'

export const SCOPE_GROUPS: readonly ScopeGroup[] = ['reads', 'writes', 'manages']

/** What each scope allows, in a sentence, as the gateway says it. */
export function useScopeWords(): ReadonlyMap<string, string> {
  const read = useRead(['resources', 'scopes'], (signal) => gateway.resources.get('scopes', { signal }), {
    staleTime: Number.POSITIVE_INFINITY,
  })
  const items = read.data && 'items' in read.data ? read.data.items : []
  return new Map(items.map(({ scope, allows }) => [String(scope), String(allows)]))
}

/** In the order in which the gateway lists them: none that members alone have. */
export const inGroup = (
  known: ReadonlyMap<string, string>,
  own: ReadonlySet<string>,
  group: ScopeGroup,
): readonly Scope[] => [...known.keys()].filter((scope) => own.has(scope) && groupOf(scope) === group) as Scope[]
