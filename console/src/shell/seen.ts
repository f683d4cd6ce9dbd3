// Which areas a member sees.
import type { SignedIn } from '../session/session.ts'
import type { Area } from './area.ts'

export const seenBy = (
  { scopes: wanted, isTestOnly }: Area,
  { scopes, isLive }: Pick<SignedIn, 'scopes' | 'isLive'>,
): boolean => !(isTestOnly && isLive) && (wanted === undefined || wanted.some((scope) => scopes.has(scope)))
