// Which server a statement belongs to, as its text says it; arrays taken apart; and answers of several servers that become one.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elementsOf, numbersOf, partOf } from '../../../src/platform/servers/arrays.ts'
import { merged } from '../../../src/platform/servers/merge.ts'
import { openPlaces, Unplaced } from '../../../src/platform/servers/places.ts'
import { type Row, textArray } from '../../../src/platform/db.ts'

const places = openPlaces({
  byLane: new Set(['accounts', 'contracts', 'lanes']),
  laneFunctions: new Set(['empty_documents']),
  atHome: new Set(['proofs']),
})
const placeOf = (text: string) => places({ name: 'asked', text })

test.each([
  ['select 1 from accounts a where a.account_id = $2 and a.lane = $1::int', { kind: 'lane', value: 0 }],
  ['select 1 from contracts c where c.id = $1 and c.lane = $12', { kind: 'lane', value: 11 }],
  ['select 1 from accounts a where a.livemode = $1 and a.lane = any($2::int[])', { kind: 'lanes', value: 1 }],
  [
    'select 1 from rows from (unnest($2::int[]), unnest($3::uuid[]), json_array_elements($4::json)) x (lane, account_id, document)',
    { kind: 'rows', values: [1, 2, 3] },
  ],
  [
    'delete from contracts t using unnest($1::text[], $2::text[]) x (lane, id) where t.lane = x.lane::int',
    { kind: 'rows', values: [0, 1] },
  ],
  ['insert into accounts as a (lane, account_id) values ($1, $2)', { kind: 'lane', value: 0 }],
  ['select empty_documents($3, $1) as emptied', { kind: 'lane', value: 2 }],
  ['-- every lane: operators see all accounts.\n select count(*) from accounts', { kind: 'every lane' }],
  [
    "-- every lane: its server's own; an epoch is everybody's\n insert into t select lane from accounts",
    { kind: 'anywhere' },
  ],
  ['select 1 from proofs', { kind: 'home' }],
  ['select clock_timestamp()', { kind: 'anywhere' }],
  ['-- of accounts, in words alone\n select 1', { kind: 'anywhere' }],
] as const)('%s', (text, place) => {
  expect(placeOf(text)).toEqual(place)
})

test('a statement about tenants’ rows that says no lane is found before it is sent', () => {
  for (const text of [
    'select 1 from contracts',
    'select empty_documents(1)',
    'select 1 from proofs join accounts a on true',
  ])
    expect(() => placeOf(text)).toThrow(Unplaced)
})

test('an array literal has the elements that it was made of, and parts of it are made of those', () => {
  const elements = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constant('NULL'), fc.constant('a,b"\\{}'), fc.constant(null)),
  )
  fc.assert(
    fc.property(elements, fc.infiniteStream(fc.boolean()), (values, chance) => {
      const wanted = values.map(() => chance.next().value as boolean)
      const literal = textArray(values)
      expect(elementsOf(literal)).toHaveLength(values.length)
      expect(partOf(literal, wanted)).toBe(textArray(values.filter((_, index) => wanted[index])))
    }),
  )
  expect(numbersOf('{1,2,255}')).toEqual([1, 2, 255])
  expect(numbersOf('{}')).toEqual([])
  // Lanes that were read as text are quoted.
  expect(numbersOf(textArray(['7', '200']))).toEqual([7, 200])
  expect(() => numbersOf('{1,NULL}')).toThrow(RangeError)
})

const result = (rows: Row[]) => ({ rows, rowCount: rows.length, command: 'SELECT' })

test('pages of several servers are the page of all of them', () => {
  const row = fc.record({
    at: fc.integer({ min: 0, max: 5 }),
    sequence: fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String),
  })
  fc.assert(
    fc.property(
      fc.array(fc.array(row), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      (servers, limit) => {
        const inOrder = (rows: readonly { at: number; sequence: string }[]) =>
          rows.toSorted((a, b) => b.at - a.at || Number(BigInt(b.sequence) - BigInt(a.sequence)))
        const pages = servers.map((rows) => result(inOrder(rows).slice(0, limit)))
        const order = [
          ['at', 'down'],
          ['sequence', 'down'],
        ] as const
        const page = merged(pages, { order, limit: 1 }, [limit]).rows
        const whole = inOrder(servers.flat()).slice(0, limit)
        expect(page.map(({ at, sequence }) => [at, sequence])).toEqual(whole.map(({ at, sequence }) => [at, sequence]))
      },
    ),
  )
})

test('sums of money come out to the last unit, however large, and what nobody says stays unsaid', () => {
  const columns = { minor: 'sum', seconds: 'most', first: 'least', any: 'any', kept: 'sum' } as const
  const of = (minor: string, seconds: number, first: number | null, any: boolean) => ({
    currency: 'PHP',
    minor,
    seconds,
    first,
    any,
    kept: null,
  })
  const answers = [
    result([of('90071992547409930', 1, null, false)]),
    result([of('1', 7, 3, true), { ...of('5', 0, null, false), currency: 'USD' }]),
  ]
  expect(merged(answers, { fold: { by: ['currency'], columns } }, []).rows).toEqual([
    { currency: 'PHP', minor: '90071992547409931', seconds: 7, first: 3, any: true, kept: null },
    { currency: 'USD', minor: '5', seconds: 0, first: null, any: false, kept: null },
  ])
})

test('what each server has counts once, and rows that were written are counted together', () => {
  expect(merged([result([{ id: 'a' }]), result([{ id: 'a' }, { id: 'b' }])], { once: 'id' }, []).rows).toEqual([
    { id: 'a' },
    { id: 'b' },
  ])
  const written = { rows: [], rowCount: 2, command: 'UPDATE' }
  expect(merged([written, written], {}, [])).toEqual({ rows: [], rowCount: 4, command: 'UPDATE' })
})
