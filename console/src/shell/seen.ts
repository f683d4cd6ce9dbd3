// Which areas a member sees.
import type { MemberScope } from '../../../sdk/src/index.ts'
import type { Area } from './area.ts'

export const seenBy = ({ scopes: wanted }: Area, scopes: ReadonlySet<MemberScope>): boolean =>
  wanted === undefined || wanted.some((scope) => scopes.has(scope))
