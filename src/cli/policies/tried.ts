// How commands name a policy that is tried: by a file with one that is not saved, or by the id of one that is.
import { readFileSync } from 'node:fs'
import { isUuid } from '../../domain/contract/ids.ts'
import { type JsonObject, jsonObjectIn, wordOf } from '../arguments.ts'
import { argument } from '../command.ts'

export function objectIn(file: string): JsonObject | null {
  try {
    return jsonObjectIn(readFileSync(file, 'utf8'))
  } catch {
    return null
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
