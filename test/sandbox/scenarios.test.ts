// Scenarios that a test writes for the sandbox provider: what it does, says, forgets, and when it is out.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { advance, askCredit, call, control, openProvider, pacs008, script, sendCredit, truth, wordOf } from './rails.ts'
import { ask, orderOf } from '../connectors/provider.ts'

let provider: Awaited<ReturnType<typeof openProvider>>
let url: string

beforeEach(async () => {
  provider = await openProvider()
  url = provider.url
})
afterEach(() => provider.close())

/** Sends an order and gives "ACSC", "RJCT AC04", "500" or "nothing" for a connection that brought no answer. */
async function sent(reference: string, amount = '100.00', timeoutMs = 300): Promise<string> {
  return said(() => sendCredit(url, pacs008(reference, amount), timeoutMs))
}
const asked = (reference: string) => said(() => askCredit(url, reference, 300))

async function said(request: () => ReturnType<typeof sendCredit>): Promise<string> {
  const answer = await request().catch(() => null)
  if (!answer) return 'nothing'
  if (answer.status !== 200) return String(answer.status)
  try {
    const { status, code } = wordOf(answer)
    return code === null ? status : `${status} ${code}`
  } catch {
    return 'garbage'
  }
}

const executions = async (reference: string) => (await truth(url, 'instapay', reference))?.executions ?? 0

describe('submissions', () => {
  test.each([
    [{ wire: 'answer' }, 'ACSC', 1],
    [{ wire: 'hang_before' }, 'nothing', 0],
    [{ wire: 'hang_after' }, 'nothing', 1],
    [{ wire: 'reset_after' }, 'nothing', 1],
    [{ wire: 'error_before' }, '500', 0],
    [{ wire: 'error_after' }, '500', 1],
    [{ wire: 'garbage' }, 'garbage', 1],
    [{ wire: { slow_ms: 600 } }, 'nothing', 1],
    [{ verdict: 'accepted' }, 'ACSP', 0],
    [{ verdict: 'refused' }, 'RJCT AC04', 0],
    [{ verdict: 'refused', code: 'AG01', message: 'Not today.' }, 'RJCT AG01', 0],
    [{ verdict: 'refused', code: 'HOUSE_RULE' }, 'RJCT HOUSE_RULE', 0],
    [{ verdict: 'refused', wire: 'error_after' }, '500', 0],
  ])('%j', async (scenario, answer, count) => {
    await script(url, { rail: 'instapay', times: 1, ...scenario })
    expect(await sent('one')).toBe(answer)
    expect(await executions('one')).toBe(count)
    expect(await sent('two')).toBe('ACSC')
    await sent('one')
    expect(await executions('one')).toBe('verdict' in scenario ? 0 : 1)
  })

  test('a slow answer is the answer', async () => {
    await script(url, { wire: { slow_ms: 200 } })
    const startedAt = Date.now()
    expect(await sent('slow', '100.00', 2_000)).toBe('ACSC')
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(190)
  })

  test('every second one, until it is ended', async () => {
    const id = await script(url, { rail: 'instapay', match: { every: 2 }, wire: 'error_after' })
    const answers: string[] = []
    for (let count = 0; count < 6; count += 1) answers.push(await sent(`order-${count}`))
    expect(answers).toEqual(['ACSC', '500', 'ACSC', '500', 'ACSC', '500'])
    await control(url, 'DELETE', `/scenarios/${id}`)
    expect([await sent('order-6'), await sent('order-7')]).toEqual(['ACSC', 'ACSC'])
  })

  test.each([
    [{ reference: 'one' }, '100.00'],
    [{ amount: '77.70' }, '77.70'],
    [{ amount: '77.7' }, '77.70'],
    [{ account: '001234567890', amount: '77.70' }, '77.70'],
  ])('only what matches %j', async (match, amount) => {
    await script(url, { rail: 'instapay', match, verdict: 'refused' })
    await script(url, { rail: 'gcash', verdict: 'refused', code: 'X' })
    expect([await sent('one', amount), await sent('two', '1.00')]).toEqual(['RJCT AC04', 'ACSC'])
  })

  test('the newest wins, and wins over the amount', async () => {
    await script(url, { verdict: 'refused', code: 'AC01' })
    await script(url, { verdict: 'completed' })
    expect(await sent('one', '100.21')).toBe('ACSC')
  })

  test('what happens later, step by step', async () => {
    const later = [
      { after_seconds: 20, status: 'returned', code: 'AC06' },
      { after_seconds: 10, status: 'completed' },
    ]
    await script(url, { rail: 'instapay', later })
    await script(url, {
      rail: 'instapay',
      match: { reference: 'fails' },
      later: { after_seconds: 5, status: 'refused' },
    })
    await script(url, {
      rail: 'instapay',
      match: { reference: 'back' },
      later: { after_seconds: 5, status: 'returned' },
    })
    expect([await sent('steps'), await sent('fails'), await sent('back')]).toEqual(['ACSP', 'ACSP', 'ACSC'])
    await advance(url, 6)
    expect([await asked('steps'), await asked('fails')]).toEqual(['ACSP', 'RJCT AC04'])
    expect(await truth(url, 'instapay', 'back')).toMatchObject({ status: 'returned', executions: 1, returns: 1 })
    await advance(url, 5)
    expect([await asked('steps'), await executions('steps')]).toEqual(['ACSC', 1])
    await advance(url, 10)
    expect(await truth(url, 'instapay', 'steps')).toMatchObject({ status: 'returned', code: 'AC06', returns: 1 })
  })
})

describe('inquiries', () => {
  test.each([
    ['not_found', '404'],
    ['error', '500'],
    ['hang', 'nothing'],
    ['lies_failed', 'RJCT AC04'],
    ['truth', 'ACSC'],
  ])('%s', async (inquiry, answer) => {
    await sent('one')
    const id = await script(url, { rail: 'instapay', match: { reference: 'one' }, inquiry })
    await sent('two')
    expect([await asked('one'), await asked('two')]).toEqual([answer, 'ACSC'])
    await control(url, 'DELETE', `/scenarios/${id}`)
    expect(await asked('one')).toBe('ACSC')
    expect(await executions('one')).toBe(1)
  })

  test('not found for ten minutes, then found, with the submission that was lost', async () => {
    const inquiry = { not_found_for_seconds: 600 }
    await script(url, { rail: 'instapay', match: { every: 2 }, wire: 'hang_after', inquiry })
    expect([await sent('seen'), await sent('lost')]).toEqual(['ACSC', 'nothing'])
    expect([await asked('seen'), await asked('lost')]).toEqual(['ACSC', '404'])
    await advance(url, 590)
    expect(await asked('lost')).toBe('404')
    await advance(url, 15)
    expect([await asked('lost'), await executions('lost')]).toEqual(['ACSC', 1])
  })

  test('so many times only', async () => {
    await sent('one')
    await script(url, { inquiry: 'not_found', times: 2 })
    expect([await asked('one'), await asked('one'), await asked('one')]).toEqual(['404', '404', 'ACSC'])
  })

  test('the generic rail plays them too', async () => {
    await script(url, { rail: 'sandbox', wire: 'error_after', inquiry: 'not_found', times: 1 })
    expect((await ask(url, 'POST', '/transfers', orderOf('one'))).status).toBe(500)
    expect((await ask(url, 'GET', '/transfers/one')).status).toBe(404)
    expect(await truth(url, 'sandbox', 'one')).toMatchObject({ status: 'completed', executions: 1 })
  })
})

describe('outages', () => {
  test.each([
    ['refuse_connections', 'nothing'],
    ['hang', 'nothing'],
    ['503', '503'],
  ])('%s of one rail, until its time is over', async (outage, answer) => {
    const id = await script(url, { rail: 'instapay', outage, seconds: 60 })
    expect([await sent('one'), await asked('one')]).toEqual([answer, answer])
    // Each request that fell into it, however it was answered.
    const { scripted } = (await control(url, 'GET', '/scenarios')) as { scripted: { id: string; played: number }[] }
    expect(scripted).toEqual([expect.objectContaining({ id, played: 2 })])
    expect(await truth(url, 'instapay', 'one')).toBeNull()
    expect((await call(url, 'GET', '/maya/events')).status).toBe(200)
    expect((await ask(url, 'POST', '/transfers', orderOf('one'))).status).toBe(200)
    await advance(url, 61)
    expect([await sent('one'), await executions('one')]).toEqual(['ACSC', 1])
  })

  test('of every rail, until it is ended', async () => {
    const id = await script(url, { outage: 'refuse_connections' })
    expect(await sent('one')).toBe('nothing')
    await expect(ask(url, 'GET', '/transfers/one')).rejects.toThrow('fetch failed')
    await control(url, 'DELETE', `/scenarios/${id}`)
    expect(await sent('one')).toBe('ACSC')
  })
})

test('a provider that forgets a reference executes it again, and its books say so', async () => {
  await script(url, { rail: 'instapay', forget_references_after_seconds: 86_400 })
  await sent('one')
  await advance(url, 86_000)
  expect([await sent('one'), await executions('one')]).toEqual(['ACSC', 1])
  await advance(url, 500)
  expect(await asked('one')).toBe('404')
  expect([await sent('one'), await executions('one')]).toEqual(['ACSC', 2])
  expect([await sent('one'), await executions('one')]).toEqual(['ACSC', 2])
})

test('the list has the table and what was posted, with how often it played', async () => {
  const id = await script(url, { rail: 'instapay', verdict: 'refused', times: 5 })
  await sent('one')
  expect((await control(url, 'GET', '/scenarios'))['scripted']).toMatchObject([
    { id, rail: 'instapay', verdict: 'refused', times: 5, played: 1 },
  ])
})

test.each([
  ['an unknown field', { wrie: 'answer' }, 'wrie'],
  ['an unknown rail', { rail: 'swift' }, 'rail'],
  ['an unknown wire', { wire: 'explode' }, 'wire'],
  ['an unknown verdict', { verdict: 'failed' }, 'verdict'],
  ['a later without a time', { later: { status: 'completed' } }, 'later'],
  ['no times', { times: 0 }, 'times'],
  ['half a time', { times: 1.5 }, 'times'],
  ['an inquiry of its own', { inquiry: { maybe: true } }, 'inquiry'],
  ['half a statement', { statement: { extra: { reference: 'x' } } }, 'statement'],
  ['no object', [], ''],
])('a scenario with %s is refused', async (_, scenario, field) => {
  const { status, body } = await ask(url, 'POST', '/scenarios', scenario)
  expect([status, body['code']]).toEqual([400, 'invalid_request'])
  expect(body['message']).toContain(field)
  expect((await control(url, 'GET', '/scenarios'))['scripted']).toEqual([])
})

test('the clock tells its time', async () => {
  const before = Date.parse(String((await control(url, 'GET', '/clock'))['now']))
  await advance(url, 3_600)
  const after = Date.parse(String((await control(url, 'GET', '/clock'))['now']))
  expect(after - before).toBeGreaterThanOrEqual(3_600_000)
  expect(after - before).toBeLessThan(3_660_000)
})
