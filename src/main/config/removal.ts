// For how long what may leave the database stays in it.
import type { Lives } from '../../workers/sweeps/remove.ts'
import type { Env, Reader } from './environment.ts'

/** A dry run looks so far back for the same payment. */
const SEARCHED_BACK_DAYS = 31
const LONGEST_DAYS = 36_500

export function removalOf(env: Env, { whole }: Reader, faults: string[]): Lives {
  const wordsDays = whole('GATEWAY_SEARCH_DAYS', 0, 0, LONGEST_DAYS)
  if (wordsDays > 0 && wordsDays < SEARCHED_BACK_DAYS)
    faults.push(
      `GATEWAY_SEARCH_DAYS must be 0, or ${SEARCHED_BACK_DAYS} at least, for dry runs look a month back, not "${env['GATEWAY_SEARCH_DAYS']}"`,
    )
  const documentsDays = whole('GATEWAY_EVENT_DAYS', 0, 0, LONGEST_DAYS)
  if (documentsDays > 0 && documentsDays < 30)
    faults.push(`GATEWAY_EVENT_DAYS must be 0, or 30 at least, not "${env['GATEWAY_EVENT_DAYS']}"`)
  const bodiesDays = whole('GATEWAY_PROVIDER_EVENT_DAYS', 400, 0, LONGEST_DAYS)
  if (bodiesDays > 0 && bodiesDays < 30)
    faults.push(`GATEWAY_PROVIDER_EVENT_DAYS must be 0, or 30 at least, not "${env['GATEWAY_PROVIDER_EVENT_DAYS']}"`)
  return { wordsDays: wordsDays || null, documentsDays: documentsDays || null, bodiesDays: bodiesDays || null }
}
