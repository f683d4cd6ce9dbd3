// Lists of contracts: every filter, every page, nothing twice and nothing left out.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ContractBody, openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())

const LIST = '/contracts/transfer'
/** Oldest first, as they were made. */
const made: ContractBody[] = []
const idsOf = (contracts: readonly { readonly id: string }[]) => contracts.map(({ id }) => id)
const newestFirst = (wanted: (contract: ContractBody) => boolean) => idsOf(made.filter(wanted)).toReversed()
const listed = async (query: string) => idsOf(await caller.all<ContractBody>(`${LIST}${query}`, 'contracts'))

beforeAll(async () => {
  for (let i = 0; i < 31; i++) {
    const fields = {
      amount: i + 1,
      currency: ['PHP', 'USD', 'JPY'][i % 3],
      channel: i % 2 === 0 ? 'sandbox' : null,
      deliverable: { reference_id: `order ${i % 4}` },
    }
    const draft = await caller.draft(fields)
    const ended = i % 6 === 0 ? await caller.issue(draft.id) : i % 5 === 0 ? await caller.cancel(draft.id) : draft
    made.push(ended)
  }
  await other.draft({ deliverable: { reference_id: 'order 1' } })
})

describe('pages', () => {
  test.each([1, 2, 7, 30, 31, 32, 100])(
    'of %d hold everything once, newest first, and end with next null',
    async (limit) => {
      const pages: string[][] = []
      let next: string | null = null
      do {
        const { data } = await caller.ask('GET', `${LIST}?limit=${limit}${next === null ? '' : `&after=${next}`}`)
        pages.push(idsOf(data['contracts'] as ContractBody[]))
        next = data['next'] as string | null
      } while (next !== null)
      expect(pages.flat()).toEqual(newestFirst(() => true))
      expect(pages.map((page) => page.length)).toEqual(
        Array.from({ length: Math.ceil(31 / limit) }, (_, i) => Math.min(limit, 31 - i * limit)),
      )
    },
  )

  test('hold 25 where nothing is said', async () => {
    const { data } = await caller.ask('GET', LIST)
    expect(data['contracts']).toHaveLength(25)
    expect(data['next']).toBe((data['contracts'] as ContractBody[])[24]?.id)
  })

  test('do not move when something new comes between them', async () => {
    const first = await caller.ask('GET', `${LIST}?limit=10`)
    const late = await caller.draft()
    const second = await caller.ask('GET', `${LIST}?limit=10&after=${String(first.data['next'])}`)
    made.push(late)
    const both = [...(first.data['contracts'] as ContractBody[]), ...(second.data['contracts'] as ContractBody[])]
    expect(idsOf(both)).toEqual(newestFirst(({ id }) => id !== late.id).slice(0, 20))
  })

  test('show each contract as GET shows it', async () => {
    const { data } = await caller.ask('GET', `${LIST}?limit=3`)
    for (const contract of data['contracts'] as ContractBody[]) expect(contract).toEqual(await caller.get(contract.id))
  })
})

describe('filters', () => {
  test.each<[string, (contract: ContractBody) => boolean]>([
    ['?status=draft', ({ status }) => status === 'draft'],
    ['?status=issued', ({ status }) => status === 'issued'],
    ['?status=cancelled', ({ status }) => status === 'cancelled'],
    ['?status=returned', () => false],
    ['?channel=sandbox', ({ channel }) => channel?.id === 'sandbox'],
    ['?channel=nowhere', () => false],
    ['?currency=USD', ({ currency }) => currency === 'USD'],
    ['?currency=usd', ({ currency }) => currency === 'USD'],
    ['?reference_id=order%201', ({ deliverable }) => deliverable?.reference_id === 'order 1'],
    ['?reference_id=order', () => false],
    [
      '?status=draft&currency=PHP&channel=sandbox',
      (c) => c.status === 'draft' && c.currency === 'PHP' && c.channel?.id === 'sandbox',
    ],
    [
      '?reference_id=order%202&currency=JPY&status=draft',
      (c) => c.deliverable?.reference_id === 'order 2' && c.currency === 'JPY' && c.status === 'draft',
    ],
  ])('%s', async (query, wanted) => {
    expect(await listed(query)).toEqual(newestFirst(wanted))
    const inTwos = await caller.all<ContractBody>(`${LIST}${query}`, 'contracts', 2)
    expect(idsOf(inTwos)).toEqual(newestFirst(wanted))
  })

  test('created_from and created_to are inclusive, and cut to the millisecond', async () => {
    const [from, to] = [made[10]!, made[20]!].map((contract) => contract.created_at)
    const within = ({ created_at }: ContractBody) => created_at >= from! && created_at <= to!
    expect(await listed(`?created_from=${from}&created_to=${to}`)).toEqual(newestFirst(within))
    expect(await listed(`?created_from=${from}`)).toEqual(newestFirst(({ created_at }) => created_at >= from!))
    expect(await listed(`?created_to=${to}`)).toEqual(newestFirst(({ created_at }) => created_at <= to!))
    expect(await listed('?created_from=2100-01-01T00:00:00Z')).toEqual([])
  })

  test('a time with an offset is the same moment', async () => {
    const at = new Date(Date.parse(made[10]!.created_at) + 8 * 3_600_000).toISOString().replace('Z', '%2B08:00')
    expect(await listed(`?created_from=${at}`)).toEqual(
      newestFirst(({ created_at }) => created_at >= made[10]!.created_at),
    )
  })

  test('another account’s contracts are in no list', async () => {
    expect(await other.all<ContractBody>(`${LIST}?reference_id=order%201`, 'contracts')).toHaveLength(1)
    expect(idsOf(await caller.all<ContractBody>(LIST, 'contracts'))).toEqual(newestFirst(() => true))
  })
})

test('a parameter that is given twice is told so, and one that may be is taken', async () => {
  const twice = await caller.ask('GET', `${LIST}?limit=1&limit=2&currency=PHP&currency=PHP`)
  expect([twice.status, twice.error.message]).toEqual([400, 'limit is given 2 times. Give it once.'])
  expect(twice.error.errors?.map(({ param }) => param)).toEqual(['limit', 'currency'])
  expect((await caller.ask('GET', `${LIST}?status=draft&status=issued`)).status).toBe(200)
})

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=', 'limit'],
  ['limit=5&limit=6', 'limit'],
  ['created_from=2026-11-02&created_to=2026-11-01', 'created_from'],
  ['currency=PHP&amount_from=2&amount_to=1', 'amount_from'],
  ['after=x', 'after'],
  ['after=', 'after'],
  ['status=open', 'status'],
  ['status=', 'status'],
  ['currency=P', 'currency'],
  ['currency=12', 'currency'],
  ['created_from=yesterday', 'created_from'],
  ['created_to=2026-13-45T00:00:00Z', 'created_to'],
  ['created_to=2026-12-31T23:59:60Z', 'created_to'],
  ['created_from=2026-12-31T15:59:60-08:00', 'created_from'],
  ['created_from=2026-12-31T23:59:59Z[Asia/Manila]', 'created_from'],
  ['created_from=', 'created_from'],
  ['channel=%00', 'channel'],
  ['reference_id=a%00b', 'reference_id'],
  [`reference_id=${'x'.repeat(129)}`, 'reference_id'],
])('?%s is refused by name', async (query, param) => {
  const { status, error } = await caller.ask('GET', `${LIST}?${query}`)
  expect({ status, code: error.code, param: error.param }).toEqual({ status: 400, code: `invalid_${param}`, param })
})

test.each(["reference_id=' or 1=1 --", 'reference_id=%25', 'reference_id=%F0%9F%92%B8', 'channel=__proto__'])(
  '?%s is only a text',
  async (query) => {
    const { status, data } = await caller.ask('GET', `${LIST}?${query}`)
    expect(status).toBe(200)
    expect(data['contracts']).toEqual([])
  },
)
