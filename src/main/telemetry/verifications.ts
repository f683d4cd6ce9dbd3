// What verifications leave behind: how many came to which result.
import type { Metrics } from '../../platform/metrics.ts'
import type { Watched } from '../../workers/verifiers/verify.ts'

/** Those that are asked again are counted as `unanswered`, each time. */
export function watchVerifications(metrics: Metrics): Watched {
  const results = metrics.counter('gateway_verifications_total', 'Answers to verifications.', 'kind', 'result')
  return ({ kind, status }) => results.inc({ kind, result: status === 'pending' ? 'unanswered' : status })
}
