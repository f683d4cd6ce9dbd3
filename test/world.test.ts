// The test world's own judges can say no: a reply that does not fit its schema, and books that do not hold.
import { afterAll, expect, test } from 'vitest'
import { openWorld, READY } from './world.ts'
import { openReplyCheck } from './world-schemas.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const replyOf = (status: number, body: unknown) => ({ status, text: JSON.stringify(body), headers: {} })

test('a reply that fits its schema passes; one member less, one more or of another type does not', async () => {
  const { faultOf } = openReplyCheck(world.gateway.app)
  const { text } = await world.caller.ask('POST', '/contracts/transfer', { body: READY })
  const judged = (change: (contract: Record<string, unknown>) => void) => {
    const body = JSON.parse(text) as { data: { contract: Record<string, unknown> } }
    change(body.data.contract)
    return faultOf('POST', '/contracts/transfer', replyOf(200, body))
  }
  expect(judged(() => undefined)).toBeNull()
  expect(judged((contract) => delete contract['paid_at'])).toContain("required property 'paid_at'")
  expect(judged((contract) => Object.assign(contract, { account_id: 'x' }))).toContain('additional properties')
  expect(judged((contract) => Object.assign(contract, { amount: '100' }))).toContain('must be number')
  expect(judged((contract) => Object.assign(contract, { created_at: '2026-01-01' }))).toContain('date-time')
  const refused = { error: { code: 'malformed_json' } }
  expect(faultOf('POST', '/contracts/transfer', replyOf(400, refused))).toContain('required property')
  expect(faultOf('GET', '/nowhere', replyOf(404, { error: 'no' }))).toContain('must be object')
})

test('a status, a code or a header that the operation does not declare does not pass', () => {
  const { faultOf } = openReplyCheck(world.gateway.app)
  const error = { type: 'conflict_error', message: 'No.', param: null, request_id: 'req_1', doc_url: '/docs' }
  const judged = (status: number, code: string, headers = {}) =>
    faultOf('POST', '/contracts/transfer', { ...replyOf(status, { error: { ...error, code } }), headers })
  expect(judged(400, 'missing_amount')).toBeNull()
  expect(judged(418, 'missing_amount')).toContain('418 is not declared')
  expect(judged(409, 'contract_expired')).toContain('the code contract_expired, which is not declared')
  expect(judged(400, 'missing_amount', { etag: '"1"' })).toContain('the header etag, which is not declared')
})

test('every schema of the document can judge a reply', () => {
  const { routes, faultOf } = openReplyCheck(world.gateway.app)
  // A file has none.
  for (const { method, path } of routes.filter(({ operationId }) => operationId !== 'commands.file'))
    for (const status of [200, 500])
      expect(faultOf(method, path, replyOf(status, [])), `${method} ${path}`).toMatch(
        status === 200 ? /must be object|has no schema/ : /must be object/,
      )
})

test('books that hold are proven; a centavo too many in a wallet is found', async () => {
  await world.caller.paid()
  await world.ledgerHolds()
  const add = (minor: number) =>
    world.sql('update wallets set available_minor = available_minor + $1 where account_id = $2 and currency = $3', [
      minor,
      world.caller.account.accountId,
      'PHP',
    ])
  await add(1)
  await expect(world.ledgerHolds()).rejects.toThrow(world.caller.account.accountId)
  await add(-1)
  await world.ledgerHolds()
})
