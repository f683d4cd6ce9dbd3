// Entries of a list: as many at a time as the reference says, whatever their texts are, and not one more.
import { afterAll, expect, test } from 'vitest'
import { ENTRIES_AT_ONCE } from '../../../src/domain/verifier/verifier.ts'
import { openWorld } from '../../world.ts'

const world = await openWorld()
const { caller } = world
afterAll(() => world.stop())

async function newList(): Promise<string> {
  const made = await caller.ask('POST', '/verifiers', { body: { kind: 'list', name: 'Not to be paid' } })
  return (made.data['verifier'] as { id: string }).id
}
const add = async (list: string, entries: readonly object[]) =>
  caller.ask('POST', `/verifiers/${list}/entries`, { body: { entries } })
const many = (make: (i: number) => object) => Array.from({ length: ENTRIES_AT_ONCE }, (_, i) => make(i))
const filled = (start: string, letter: string, letters: number) => start + letter.repeat(letters - start.length)

test.each<[string, (i: number) => object]>([
  ['names alone', (i) => ({ name: `Felix Moravec ${i}` })],
  ['names and notes', (i) => ({ name: `Felix Moravec ${i}`, note: 'Sent money back to nobody.' })],
  ['the longest names and notes', (i) => ({ name: filled(`${i} `, '莫', 255), note: filled('', '拉', 500) })],
  [
    'the longest of everything',
    (i) => ({
      name: filled(`${i} `, '莫', 255),
      wallet: filled(`${i}`, '0', 255),
      mobile: `+6391${String(i).padStart(8, '0')}`,
      email: `${filled(`a${i}`, 'x', 64)}@${filled('', 'y.', 88)}example.com`,
      note: filled('', '拉', 500),
    }),
  ],
])('a thousand at a time: %s', async (_what, make) => {
  const list = await newList()
  const added = await add(list, many(make))
  expect([added.status, added.text.slice(0, 300)]).toEqual([200, expect.any(String)])
  expect(added.data['verifier']).toMatchObject({ entries: ENTRIES_AT_ONCE })
  expect(added.data['entries']).toHaveLength(ENTRIES_AT_ONCE)
})

test('one more is refused by its name, and a body beyond every text by its size', async () => {
  const list = await newList()
  const more = await add(list, [...many((i) => ({ name: `Felix Moravec ${i}` })), { name: 'Ana Cruz' }])
  expect([more.status, more.error.code]).toEqual([400, 'invalid_entries'])
  const huge = await add(
    list,
    many((i) => ({ name: filled(`${i} `, 'x', 5000) })),
  )
  expect([huge.status, huge.error.code]).toEqual([413, 'body_too_large'])
  expect((await caller.all(`/verifiers/${list}/entries`, 'entries')).length).toBe(0)
})
