// What an area of the console is: where it stands, what it is called, who sees it, its screens. Screens are loaded when they
// are first opened.
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import type { MemberScope } from '../../../sdk/src/index.ts'
import type { Bilingual } from '../words/bilingual.ts'
import type { IconName } from '../ui/Icon.tsx'

export type AreaGroup = 'money' | 'work' | 'build' | 'account'

export type Area = {
  /** Below /console, without a slash before it; empty for home. */
  readonly path: string
  readonly title: Bilingual<{ readonly title: string }>
  readonly icon: IconName
  readonly group: AreaGroup
  /** Who sees it: whoever has one of these; everybody without it. */
  readonly scopes?: readonly MemberScope[]
  /** There for test accounts alone. */
  readonly isTestOnly?: true
  /** `g` and then this leads here. */
  readonly key?: string
  /** A hook: what stands beside its name in the menu, such as how much waits there; empty for nothing. */
  readonly useCount?: () => string
  readonly routes: readonly RouteObject[]
}

/** A screen that is loaded when it is opened: `screen(() => import('./List.tsx'), 'List')`. */
export function screen<Name extends string>(
  load: () => Promise<{ readonly [Each in Name]: ComponentType }>,
  name: Name,
): Pick<RouteObject, 'lazy'> {
  return { lazy: async () => ({ Component: (await load())[name] }) }
}
