// Clicks on a button that makes something: one wish is under way once, and keeps its key until somebody has answered for sure.
import { expect, test } from 'vitest'
import { isRefused, oneByOne } from '../../../console/src/once.ts'
import { GatewayError } from '../../../sdk/src/index.ts'

const refusal = (status: number, code: string) => new GatewayError(code, { code, status })

/** What each try is answered with, in order, and the keys that they had. */
function clicks(answers: readonly (GatewayError | 'done')[]) {
  const keys: string[] = []
  const send = oneByOne<unknown, string>()
  const write = async (_: unknown, key: string) => {
    const answer = answers[keys.push(key) - 1] ?? 'done'
    if (answer === 'done') return answer
    throw answer
  }
  return { keys, click: (wanted: unknown) => send(write, wanted).catch((error: unknown) => error) }
}

const UNSURE = [
  refusal(0, 'timeout'),
  refusal(0, 'no_answer'),
  refusal(0, 'unexpected_status'),
  refusal(200, 'not_a_gateway'),
  refusal(502, 'not_a_gateway'),
  refusal(500, 'internal_error'),
  refusal(503, 'database_unavailable'),
  refusal(409, 'idempotency_in_progress'),
  refusal(408, 'request_timeout'),
  refusal(429, 'rate_limited'),
  refusal(401, 'session_required'),
  // A proxy's own page, while the gateway is away.
  refusal(404, 'not_a_gateway'),
  refusal(403, 'not_a_gateway'),
  // The guard answers before anybody looks for what was done under the key.
  refusal(403, 'address_not_allowed'),
  refusal(403, 'cross_site_request'),
  refusal(403, 'scope_missing'),
]
const REFUSED = [
  refusal(400, 'invalid_amount'),
  refusal(402, 'insufficient_funds'),
  refusal(403, 'policy_denied'),
  refusal(404, 'contract_not_found'),
  refusal(409, 'contract_cancelled'),
  refusal(422, 'idempotency_key_reused'),
]

test.each(UNSURE)('after $code ($status) the next click is the same request', async (error) => {
  expect(isRefused(error)).toBe(false)
  const { keys, click } = clicks([error, error])
  for (let count = 0; count < 3; count += 1) await click({ amount: '1' })
  expect(new Set(keys).size).toBe(1)
  await click({ amount: '1' })
  expect([keys.length, new Set(keys).size]).toEqual([4, 2])
})

test.each(REFUSED)('after $code ($status) the next click is another request', async (error) => {
  expect(isRefused(error)).toBe(true)
  const { keys, click } = clicks([error])
  await click({ amount: '1' })
  await click({ amount: '1' })
  expect(new Set(keys).size).toBe(2)
})

test('a click while one is under way joins it, and another wish does not', async () => {
  const { keys, click } = clicks([])
  expect(await Promise.all([click({ amount: '1' }), click({ amount: '1' }), click({ amount: '2' })])).toHaveLength(3)
  expect([keys.length, new Set(keys).size]).toEqual([2, 2])
})

test('a dialog that is closed after a lost answer, and opened again, asks for the same under the same name', async () => {
  const keys: string[] = []
  const answers: (GatewayError | 'done')[] = [refusal(0, 'timeout'), 'done', refusal(409, 'refund_exceeds_payment')]
  const write = async (_: unknown, key: string) => {
    const answer = answers[keys.push(key) - 1] ?? 'done'
    if (answer === 'done') return answer
    throw answer
  }
  /** In a dialog of its own. */
  const click = (name: string, wanted: unknown) =>
    oneByOne<unknown, string>(name)(write, wanted).catch((error: unknown) => error)
  const refund = () => click('refund 1', { amount: '5' })
  await refund()
  expect(await refund()).toBe('done')
  // That was answered: the next is refused, and the one after it is another, as one of another contract is.
  await refund()
  await refund()
  await click('refund 2', { amount: '5' })
  expect([keys.length, keys[0] === keys[1], new Set(keys).size]).toEqual([5, true, 4])
  expect(await Promise.all([refund(), refund()])).toEqual(['done', 'done'])
  expect(keys.length).toBe(6)
})

test('what is no error of the gateway has said nothing', () => {
  expect([new TypeError('Failed to fetch'), null, 'no'].map(isRefused)).toEqual([false, false, false])
})
