// Which areas a member sees.
import type { Scope } from '../../../sdk/src/index.ts'
import type { Area } from './area.ts'

export const seenBy = ({ scopes: wanted }: Area, scopes: ReadonlySet<Scope>): boolean =>
  wanted === undefined || wanted.some((scope) => scopes.has(scope))
