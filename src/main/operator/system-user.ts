// Who an operator is that gives no name: the user of this system.
import { userInfo } from 'node:os'

/** Throws where this system knows no name for its user. */
export function userOfSystem(): string {
  return userInfo().username
}
