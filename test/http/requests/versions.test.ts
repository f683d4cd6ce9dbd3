// A contract's version as an entity tag: who changes what he read is told when somebody else was faster, and who has read it
// already need not read it again.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { type ContractBody, type Method, openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())

const path = ({ id }: { readonly id: string }, verb = '') => `/contracts/transfer/${id}${verb}`
const matching = (method: Method, url: string, tag: string, body: unknown = {}) =>
  caller.ask(method, url, { body, headers: { 'if-match': tag } })

test('every reply that shows a contract carries its tag', async () => {
  const made = await caller.ask('POST', '/contracts/transfer', { body: { amount: 5, currency: 'PHP' } })
  const { id } = made.data['contract'] as ContractBody
  expect(made.headers['etag']).toBe('"1"')
  expect((await caller.ask('GET', path({ id }))).headers['etag']).toBe('"1"')
  expect((await caller.ask('PATCH', path({ id }), { body: { description: 'x' } })).headers['etag']).toBe('"2"')
  expect((await caller.ask('DELETE', path({ id }))).headers['etag']).toBe('"3"')
  const payment = await caller.ask('POST', '/contracts/payment', { body: { amount: 5, currency: 'PHP' } })
  const { id: paymentId, version } = payment.data['contract'] as ContractBody
  expect(payment.headers['etag']).toBe(`"${version}"`)
  expect((await caller.ask('GET', `/contracts/payment/${paymentId}`)).headers['etag']).toBe(`"${version}"`)
})

describe('If-Match', () => {
  type Made = () => Promise<ContractBody>
  const COMMANDS: readonly [string, Method, string, Made, unknown][] = [
    ['an update', 'PATCH', '', () => caller.draft(), { description: 'mine' }],
    ['an issue', 'PUT', '/issue', () => caller.draft(), {}],
    ['a pay', 'PUT', '/pay', () => caller.issued(), {}],
    ['a cancel', 'DELETE', '', () => caller.paid(), {}],
  ]

  test.each(COMMANDS)('of another version refuses %s, and nothing changes', async (_what, method, verb, made, body) => {
    const contract = await made()
    const balance = await caller.balance('PHP')
    for (const tag of [`"${contract.version + 1}"`, `"${contract.version - 1}"`, `W/"${contract.version}"`, '"x"']) {
      const { status, error } = await matching(method, path(contract, verb), tag, body)
      expect({ tag, status, ...error }).toMatchObject({
        status: 412,
        type: 'conflict_error',
        code: 'precondition_failed',
        param: 'If-Match',
        message: expect.stringContaining(`version ${contract.version}`),
      })
    }
    expect(await caller.get(contract.id)).toEqual(contract)
    expect(await caller.balance('PHP')).toBe(balance)
  })

  test.each(COMMANDS)('of the version that stands lets %s through', async (_what, method, verb, made, body) => {
    for (const tagOf of [(v: number) => `"${v}"`, () => '*', (v: number) => `"999", "${v}"`]) {
      const contract = await made()
      expect((await matching(method, path(contract, verb), tagOf(contract.version), body)).status).toBe(200)
    }
  })

  test('of one version lets one of many through', async () => {
    const draft = await caller.draft()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => matching('PATCH', path(draft), '"1"', { description: `writer ${i}` })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 412)])
    expect((await caller.get(draft.id)).version).toBe(2)
  })

  test('that is no tag is refused by name', async () => {
    const draft = await caller.draft()
    for (const tag of ['1', '"1', '', 'W/1']) {
      const { status, error } = await matching('PATCH', path(draft), tag, { description: 'x' })
      expect([status, error.code, error.param]).toEqual([400, 'invalid_If-Match', 'If-Match'])
    }
  })

  test('does not stand in the way of an answer that was given already', async () => {
    const draft = await caller.draft()
    const headers = { 'if-match': '"1"', 'idempotency-key': randomUUID() }
    const first = await caller.ask('PATCH', path(draft), { body: { description: 'once' }, headers })
    const again = await caller.ask('PATCH', path(draft), { body: { description: 'once' }, headers })
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true'])
  })

  test('guards a payment contract’s cancel and refund', async () => {
    const { data } = await caller.ask('POST', '/contracts/payment', { body: { amount: 5, currency: 'PHP' } })
    const { id } = data['contract'] as ContractBody
    expect((await matching('DELETE', `/contracts/payment/${id}`, '"9"')).error.code).toBe('precondition_failed')
    expect((await matching('POST', `/contracts/payment/${id}/refunds`, '"9"')).error.code).toBe('precondition_failed')
    expect((await matching('PUT', `/contracts/payment/${id}/pay`, '"9"', { type: 'gcash' })).error.code).toBe(
      'precondition_failed',
    )
    expect((await matching('DELETE', `/contracts/payment/${id}`, '"1"')).status).toBe(200)
  })
})

test('If-None-Match answers 304 without a body as long as nothing changed', async () => {
  const draft = await caller.draft()
  const known = (tag: string) =>
    world.gateway.app.inject({
      method: 'GET',
      url: path(draft),
      headers: { 'x-api-key': caller.apiKey, 'if-none-match': tag },
    })
  for (const tag of ['"1"', 'W/"1"', '"7", "1"', '*']) {
    const { statusCode, payload, headers } = await known(tag)
    expect([tag, statusCode, payload, headers['etag']]).toEqual([tag, 304, '', '"1"'])
  }
  await caller.update(draft.id, { description: 'changed' })
  const { statusCode, headers } = await known('"1"')
  expect([statusCode, headers['etag']]).toEqual([200, '"2"'])
})

describe('what is over', () => {
  /** Moves the time of a contract into the past: nobody has to wait for it. */
  async function overdue(contract: ContractBody): Promise<void> {
    const { lane, accountId } = caller.account
    const key = [lane, accountId, contract.id]
    const past = Date.now() - 1000
    await world.sql(
      `update contracts set expires_at = to_timestamp($4::float8 / 1000) where lane = $1 and account_id = $2 and id = $3`,
      [...key, past],
    )
    await world.sql(
      `update contract_versions set document = jsonb_set(document::jsonb, '{expires_at}', to_jsonb($4::bigint))::json
        where lane = $1 and account_id = $2 and contract_id = $3`,
      [...key, past],
    )
  }
  const payment = async (fields = {}) => {
    const body = { amount: 5, currency: 'PHP', ...fields }
    return (await caller.ask('POST', '/contracts/payment', { body })).data['contract'] as ContractBody
  }
  const MADE: readonly [string, string, () => Promise<ContractBody>][] = [
    ['a draft', 'transfer', () => caller.draft({ deliverable: { reference_id: randomUUID() } })],
    ['an issued transfer', 'transfer', () => caller.issued({ deliverable: { reference_id: randomUUID() } })],
    ['a payment contract', 'payment', () => payment({ deliverable: { reference_id: randomUUID() } })],
  ]

  test.each(MADE)('%s is expired wherever it is read, before and after the sweeper', async (_what, kind, made) => {
    const contract = await made()
    await overdue(contract)
    const url = `/contracts/${kind}/${contract.id}`
    const reference = encodeURIComponent(contract.deliverable?.reference_id ?? '')
    const found = async (status: string) => {
      const { data } = await caller.ask('GET', `/contracts/${kind}?reference_id=${reference}&status=${status}`)
      return (data['contracts'] as ContractBody[]).map((each) => each.status)
    }
    const read = async () => {
      const reply = await caller.ask('GET', url)
      return { tag: reply.headers['etag'], contract: reply.data['contract'] as ContractBody }
    }
    const before = await read()
    expect(before.contract).toMatchObject({ status: 'expired', version: contract.version })
    expect(before.tag).not.toBe(`"${contract.version}"`)
    expect([
      await found('expired'),
      await found(kind === 'payment' ? 'issued' : 'draft,issued'),
      await found('issued,expired'),
    ]).toEqual([['expired'], [], ['expired']])
    const { lane, accountId } = caller.account
    const command = { verb: 'expire', id: contract.id } as const
    await world.gateway.deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
    const after = await read()
    expect(after.contract).toMatchObject({ status: 'expired', version: contract.version + 1 })
    expect(after.tag).toBe(`"${contract.version + 1}"`)
    expect(await found('expired')).toEqual(['expired'])
    // The event repeats what was read before it, and adds to it.
    const { activities: shown, updated_at: _, version: __, activities_total: ___, ...rest } = before.contract
    expect(after.contract).toMatchObject(rest)
    expect(after.contract.activities.slice(0, shown.length)).toEqual(shown)
  })

  test('a payment contract whose rail may still say that it was paid is not over', async () => {
    const contract = await payment({ payment: { type: 'gcash', gcash: {} } })
    await overdue(contract)
    const { data } = await caller.ask('GET', `/contracts/payment/${contract.id}`)
    expect(data['contract']).toMatchObject({ status: 'issued' })
    const listed = await caller.ask('GET', '/contracts/payment?status=issued')
    expect((listed.data['contracts'] as ContractBody[]).map(({ id }) => id)).toContain(contract.id)
    const expired = await caller.ask('GET', '/contracts/payment?status=expired')
    expect((expired.data['contracts'] as ContractBody[]).map(({ id }) => id)).not.toContain(contract.id)
  })

  test('is explained so', async () => {
    const contract = await caller.issued()
    await overdue(contract)
    const { data } = await caller.ask('GET', path(contract, '/explain'))
    expect(JSON.stringify(data['explanation'])).toMatch(/expired/i)
  })
})

describe('filters', () => {
  test('take several statuses, after commas or one by one', async () => {
    const [draft, issued, paid] = [await caller.draft(), await caller.issued(), await caller.paid()]
    const ids = async (query: string) => {
      const { data } = await caller.ask('GET', `/contracts/transfer?limit=100&${query}`)
      const found = (data['contracts'] as ContractBody[]).map(({ id }) => id)
      return [draft, issued, paid].filter(({ id }) => found.includes(id)).map(({ status }) => status)
    }
    expect(await ids('status=draft,paid')).toEqual(['draft', 'paid'])
    expect(await ids('status=draft&status=paid')).toEqual(['draft', 'paid'])
    expect(await ids('status=issued')).toEqual(['issued'])
    expect(await ids('status=draft,issued&status=paid')).toEqual(['draft', 'issued', 'paid'])
  })

  test.each(['status=', 'status=draft,', 'status=draft,lost', 'status=draft&status=lost'])(
    '%s is refused by name',
    async (query) => {
      const { status, error } = await caller.ask('GET', `/contracts/transfer?${query}`)
      expect([status, error.code, error.param]).toEqual([400, 'invalid_status', 'status'])
      expect(error.message).toContain('status must be one of: draft')
    },
  )

  test('take a date alone: its first moment from, its last moment to, in UTC', async () => {
    const contract = await caller.draft()
    const day = contract.created_at.slice(0, 10)
    const [before, after] = [-1, 1].map((days) => new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000))
    const ids = async (query: string) => {
      const { status, data } = await caller.ask('GET', `/contracts/transfer?limit=100&${query}`)
      expect(status).toBe(200)
      return (data['contracts'] as ContractBody[]).map(({ id }) => id)
    }
    const dateOf = (time: Date | undefined) => time?.toISOString().slice(0, 10)
    expect(await ids(`created_from=${day}&created_to=${day}`)).toContain(contract.id)
    expect(await ids(`created_from=${dateOf(after)}`)).not.toContain(contract.id)
    expect(await ids(`created_to=${dateOf(before)}`)).not.toContain(contract.id)
  })

  test.each(['created_from=2026-02-30', 'created_to=2026-13-01', 'created_from=2026-11', 'created_to=today'])(
    '%s is no date',
    async (query) => {
      const { status, error } = await caller.ask('GET', `/contracts/transfer?${query}`)
      const param = query.split('=')[0]
      expect([status, error.code, error.param]).toEqual([400, `invalid_${param}`, param])
    },
  )
})
