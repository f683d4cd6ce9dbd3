// Bodies that mean harm: refused with 4xx, quickly, and the gateway goes on.
import { afterAll, describe, expect, test } from 'vitest'
import { type ContractBody, openWorld, READY } from '../../world.ts'
import { DraftBody } from '../../../src/wire/transfer-requests.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())

const LIST = '/contracts/transfer'
const post = (body: unknown, headers: Record<string, string> = {}) => caller.ask('POST', LIST, { body, headers })
const draftWith = (member: string) => `{"amount":1,"currency":"PHP",${member}}`

describe('JSON that a careful reader refuses', () => {
  test.each<[string, string | Buffer]>([
    ['nested 30,000 deep in arrays', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['nested 17 deep in objects', `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`],
    ['opened and never closed', '{"a":'.repeat(13_000)],
    ['1,001 members', `{${Array.from({ length: 1001 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['members hidden in arrays', `{"a":[${'{"b":1},'.repeat(1000)}1]}`],
    ['a member twice', draftWith('"amount":1000000')],
    ['a member twice, once escaped', draftWith('"amo\\u0075nt":1000000')],
    ['a nested member twice', draftWith('"recipient":{"wallet":"1","wallet":"2"}')],
    ['a NUL', draftWith('"description":"a\\u0000b"')],
    ['a NUL in a name', draftWith('"a\\u0000":1')],
    ['half a surrogate pair', draftWith('"description":"\\ud800"')],
    ['the other half', draftWith('"description":"\\udc00x"')],
    ['the halves the wrong way round', draftWith('"description":"\\udc00\\ud800"')],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['an overlong encoding', Buffer.from('7b2261223a22c0af227d', 'hex')],
    ['a surrogate in UTF-8', Buffer.from('7b2261223a22eda080227d', 'hex')],
    ['UTF-16', Buffer.from('\ufeff{"amount":1}', 'utf16le')],
    ['a byte order mark', `\ufeff${JSON.stringify(READY)}`],
    ['a comment', '{"amount":1/* one */,"currency":"PHP"}'],
    ['a trailing comma', '{"amount":1,"currency":"PHP",}'],
    ['single quotes', "{'amount':1}"],
    ['two values', '{"amount":1,"currency":"PHP"}{}'],
    ['a control character', draftWith('"description":"a\nb"')],
    ['an array', '[{"amount":1}]'],
    ['a text', '"amount"'],
    ['null', 'null'],
    ['a number', '5'],
    ['only spaces', '   '],
    ['half of it', '{"amount":1,"curr'],
  ])('%s', async (_what, body) => {
    const { status, error } = await post(body)
    expect({ status, code: error.code, param: error.param }).toEqual({
      status: 400,
      code: 'malformed_json',
      param: 'body',
    })
    expect(error.message.length).toBeLessThan(300)
  })

  test.each<[string, string | Buffer]>([
    ['100,000 levels', '['.repeat(100_000)],
    ['100,000 members', `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['10 MiB', Buffer.alloc(10 * 1024 * 1024, '{"a":')],
  ])('%s are refused by their size', async (_what, body) => {
    const { status, error } = await post(body)
    expect([status, error.code]).toEqual([413, 'body_too_large'])
  })

  test('none of it takes long', async () => {
    const worst = [
      `{"a":${'['.repeat(65_000)}`,
      `{"a":"${'\\'.repeat(64_000)}`,
      `{"${'\\"'.repeat(32_000)}":1}`,
      `{"a":"${'4 '.repeat(32_000)}"}`,
      `{"a":"${'4111 1111 1111 1111 '.repeat(3200)}"}`,
      `{"description":"${'card_'.repeat(12_000)}"}`,
      `{"reference":"${'"'.repeat(60_000)}`,
      `{"recipient":{"email":"${'a@'.repeat(30_000)}"},"amount":1,"currency":"PHP"}`,
      `{"recipient":{"mobile":"${'0'.repeat(60_000)}"},"amount":1,"currency":"PHP"}`,
      `{"a":1${'0'.repeat(65_000)}1}`,
      `{"a":0.${'0'.repeat(65_000)}1}`,
    ]
    for (const body of worst) expect((await quickly(body.slice(0, 30), () => post(body))).status).toBe(400)
  })

  test.each(['/', '/docs/'])(
    'an address of nothing but slashes and one more letter takes no long either: %s',
    async (begins) => {
      const path = `${begins}${'/'.repeat(15_000)}A`
      const { statusCode } = await quickly(path.slice(0, 30), () => world.gateway.app.inject(path))
      expect(statusCode).toBe(404)
    },
  )

  /** By the time of this process alone, whatever else the machine does. */
  async function quickly<T>(what: string, act: () => Promise<T>): Promise<T> {
    const before = process.cpuUsage()
    const answer = await act()
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000, what).toBeLessThan(500)
    return answer
  }

  test('16 levels and 1,000 members are still read, and refused for their names alone', async () => {
    const nested = `${'{"a":'.repeat(14)}1${'}'.repeat(14)}`
    expect((await post(draftWith(`"extra":${nested}`))).error.code).toBe('unknown_parameter')
    const members = Array.from({ length: 998 }, (_, i) => `"k${i}":1`).join(',')
    const { error, text } = await post(draftWith(members))
    expect([error.code, error.param, error.errors?.length]).toEqual(['unknown_parameter', 'k0', 20])
    expect(text.length).toBeLessThan(8000)
  })

  test('text of all the world’s scripts comes back as it was', async () => {
    const description = 'Ñandú 東京 🏦 \u202e "quoted" \\ / \u2028 \t\n Ζ̡͂'
    const draft = await caller.draft({ description })
    expect(draft.description).toBe(description)
    expect((await caller.get(draft.id)).description).toBe(description)
  })
})

describe('names that mean something to JavaScript', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    '%s is an unknown field',
    async (name) => {
      const evil = `{"status":"paid","amount":5,"polluted":true}`
      const { status, error } = await post(`{"amount":1,"currency":"PHP","recipient":{"name":"A"},"${name}":${evil}}`)
      expect([status, error.code, error.param]).toEqual([400, 'unknown_parameter', name])
      const draft = await caller.draft()
      const patched = await caller.ask('PATCH', `${LIST}/${draft.id}`, {
        body: `{"${name}":${evil},"recipient":{"${name}":${evil}}}`,
      })
      expect(patched.error.errors?.map(({ param }) => param).toSorted()).toEqual([name, `recipient.${name}`].toSorted())
      expect(await caller.get(draft.id)).toEqual(draft)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )
})

describe('every field of the schema', () => {
  type Shape = { type?: string | string[]; readOnly?: boolean; properties?: Record<string, Shape>; enum?: unknown[] }
  const VALUES: readonly [type: string, value: unknown][] = [
    ['string', 'x'],
    ['number', 1.5],
    ['boolean', true],
    ['object', {}],
    ['array', []],
    ['array', [{}]],
    ['null', null],
  ]
  const root = JSON.parse(JSON.stringify(DraftBody)) as Shape
  const fields = fieldsOf(root, [])

  function fieldsOf({ properties = {} }: Shape, path: string[]): [string[], Shape][] {
    // What the gateway owns is ignored, whatever it is.
    const sent = Object.entries(properties).filter(([, shape]) => shape.readOnly !== true)
    return sent.flatMap(([name, shape]) => [
      [[...path, name], shape] as [string[], Shape],
      ...fieldsOf(shape, [...path, name]),
    ])
  }

  function bodyOf([name = '', ...rest]: string[], value: unknown): Record<string, unknown> {
    return { [name]: rest.length === 0 ? value : bodyOf(rest, value) }
  }

  const typesOf = ({ type, enum: choices }: Shape) =>
    [type ?? [], choices ? [...choices.map((each) => typeof each), 'null'] : []].flat(2)

  test('is here', () => {
    expect(fields.map(([path]) => path.join('.'))).toContain('recipient.mobile')
    expect(fields.length).toBeGreaterThan(20)
  })

  test.each(fields.map(([path, shape]) => [path.join('.'), path, shape] as const))(
    '%s refuses every wrong type by name',
    async (name, path, shape) => {
      const types = typesOf(shape)
      expect(types.length).toBeGreaterThan(0)
      const wrong = VALUES.filter(
        ([type]) => !types.includes(type) && !(type === 'number' && types.includes('integer')),
      )
      for (const [, value] of wrong) {
        const { status, error } = await post({ ...READY, ...bodyOf(path, value) })
        const problems = error.errors ?? [error]
        expect({ status, params: problems.map(({ param }) => param) }, JSON.stringify(value)).toEqual({
          status: 400,
          params: [name],
        })
        expect(problems[0]?.code).toBe(`invalid_${name.replaceAll('.', '_')}`)
      }
    },
  )
})

describe('mass assignment', () => {
  test('nothing that the server owns sticks', async () => {
    const foreign = other.account
    const owned = {
      id: '01890000-0000-7000-8000-000000000001',
      kind: 'payment',
      livemode: true,
      issued_by: foreign.profileId,
      issued_at: '2020-01-01T00:00:00Z',
      paid_by: foreign.profileId,
      paid_at: '2020-01-01T00:00:00Z',
      wallet_id: foreign.wallets[0]?.id,
      issued_to_profile: { profile: foreign.profileId, profile_version: 1 },
      recipient_profile: { profile: foreign.profileId, profile_version: 1 },
      expires_at: '2099-01-01T00:00:00Z',
      created_at: '2020-01-01T00:00:00Z',
      updated_at: '2020-01-01T00:00:00Z',
      version: 99,
      payment: { paid_at: '2020-01-01T00:00:00Z' },
      activities: [{ type: 'paid' }],
      transfer: { status: 'delivered', attempts: 9, reference: 'mine' },
      cancellation: { status: 'done' },
      refund: { amount: 5 },
    }
    const plain = await caller.draft()
    const draft = await caller.draft(owned)
    const untouched = (contract: ContractBody) => {
      const {
        id: _,
        created_at: __,
        updated_at: ___,
        expires_at: ____,
        version: _____,
        activities: ______,
        ...rest
      } = contract
      return { ...rest, preview: { ...rest.preview, messages: [] } }
    }
    expect(untouched(draft)).toEqual(untouched(plain))
    expect(draft.id).not.toBe(owned.id)
    expect(draft.version).toBe(1)
    expect(Date.parse(draft.created_at)).toBeGreaterThan(Date.now() - 60_000)
    expect(Date.parse(draft.expires_at)).toBeLessThan(Date.parse(owned.expires_at))
    const patched = await caller.update(draft.id, owned)
    expect(untouched(patched)).toEqual(untouched(plain))
    expect(patched.expires_at).toBe(draft.expires_at)
    const [row] = await world.sql<{ account_id: string; held_minor: string }>(
      'select account_id, held_minor from contracts where id = $1',
      [draft.id],
    )
    expect(row).toEqual({ account_id: caller.account.accountId, held_minor: '0' })
  })

  test.each([
    ['account_id', '01890000-0000-7000-8000-000000000001'],
    ['lane', 1],
    ['sequence', 99],
    ['fees', { total: 0 }],
    ['fee_minor', 0],
    ['held_minor', 0],
    ['payee_faults', []],
  ])('%s, which no contract shows, is not known', async (name, value) => {
    const { status, error } = await post({ ...READY, [name]: value })
    expect([status, error.code, error.param]).toEqual([400, 'unknown_parameter', name])
  })

  test('card data is refused by the name of its field, masked in free text, and kept nowhere', async () => {
    const number = '4242424242424242'
    for (const field of ['card_number', 'pan', 'cvc', 'track2']) {
      const { status, error } = await post({ ...READY, recipient: { name: 'A', [field]: number } })
      expect([status, error.code, error.param]).toEqual([400, 'card_data_not_allowed', field])
      expect(JSON.stringify(error)).not.toContain(number)
    }
    // An escape, another case and other signs between the words hide no name.
    for (const name of ['p\\u0061n', 'Card-Number', 'CARD_CVC', '\\uff43vv', 'track-2-data']) {
      const { status, error } = await post(`{"amount":1,"currency":"PHP","recipient":{"${name}":"${number}"}}`)
      expect([status, error.code]).toEqual([400, 'card_data_not_allowed'])
    }
    const masked = '[card ending 4242]'
    const draft = await caller.draft({
      description: `charge ${number}`,
      deliverable: { details: number, reference_id: number },
    })
    expect(draft).toMatchObject({
      description: `charge ${masked}`,
      deliverable: { details: masked, reference_id: number },
    })
    const writings = [
      '4242.4242.4242.4242',
      '4242\u00a04242\u20094242\t4242',
      '42\u200b42\u200d42\u206042\ufeff42\u00ad424242',
      '\uff14\uff12\uff14\uff12 4242-4242.\u0664\u0662\u0664\u0662',
    ]
    for (const writing of writings)
      expect(await caller.draft({ description: `charge ${writing}`, recipient: { name: writing } })).toMatchObject({
        description: `charge ${masked}`,
        recipient: { name: masked },
      })
    const { data } = await caller.ask('DELETE', `${LIST}/${draft.id}`, { body: { reason: number } })
    expect(data['cancellation']).toMatchObject({ reason: masked })
  })
})

test('the gateway is as well as before', async () => {
  expect((await caller.paid()).status).toBe('paid')
  await world.ledgerHolds()
})
