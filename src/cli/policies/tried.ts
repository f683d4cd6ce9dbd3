// How commands name a policy that is tried: by a file with one that is not saved, or by the id of one that is.
import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { isUuid } from '../../domain/contract/ids.ts'
import { type JsonObject, jsonObjectIn, wordOf } from '../arguments.ts'
import { argument } from '../command.ts'

/** The object that a file holds. Refuses a file that cannot be read, and says where its JSON breaks off. */
export function objectIn(file: string): JsonObject | null {
  const text = textOf(file)
  const object = jsonObjectIn(text)
  if (object !== null) return object
  try {
    JSON.parse(text)
  } catch (fault) {
    throw new InvalidArgumentError(`It is no JSON: ${(fault as Error).message}.`)
  }
  return null
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (fault) {
    throw new InvalidArgumentError(`It cannot be read (${(fault as NodeJS.ErrnoException).code}).`)
  }
}

/** The file of a policy, the id of one; undefined for all that are active. */
export const TRIED = argument(
  '[file-or-id]',
  'a file with a policy as JSON, or the whole id of one (default: all that are active)',
  wordOf('Give a file that holds one JSON object, or the whole id of a policy.', (text): JsonObject | string | null =>
    isUuid(text.toLowerCase()) ? text.toLowerCase() : objectIn(text),
  ),
)
