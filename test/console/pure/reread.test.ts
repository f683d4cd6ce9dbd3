// After a write what it may have changed is read again: when it was done, and when nobody knows whether it was.
import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { rereading } from '../../../console/src/reread.ts'
import { GatewayError } from '../../../sdk/src/index.ts'

const refusal = (status: number, code: string) => new GatewayError(code, { code, status })

test.each([
  ['it was done', null, true],
  ['the answer was lost', refusal(0, 'timeout'), true],
  ['a proxy answered', refusal(404, 'not_a_gateway'), true],
  ['it was refused', refusal(409, 'refund_exceeds_payment'), false],
] as const)('where %s', async (_, error, isRead) => {
  const client = new QueryClient()
  client.setQueryData(['payments', 'get', '1'], {})
  client.setQueryData(['members', 'list'], [])
  const write = new MutationObserver(client, {
    mutationFn: () => (error === null ? Promise.resolve() : Promise.reject(error)),
    ...rereading(client, ['payments']),
  })
  expect(await write.mutate().catch((thrown: unknown) => thrown)).toBe(error ?? undefined)
  const isStale = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated
  expect([isStale(['payments', 'get', '1']), isStale(['members', 'list'])]).toEqual([isRead, false])
})
