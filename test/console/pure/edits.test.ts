// What a form sends of what was typed into it: what was changed, and nothing that only stands there.
import { expect, test } from 'vitest'
import { changedOf } from '../../../console/src/edits.ts'

const STANDING = { name: 'Agent', addresses: ['127.0.0.1'], transfer_max: null as null | readonly string[] }

test.each([
  [{}, {}],
  [{ name: 'Agent', addresses: ['127.0.0.1'], transfer_max: null }, {}],
  [{ ...STANDING, name: 'Clerk' }, { name: 'Clerk' }],
  [{ addresses: [] }, { addresses: [] }],
  [{ addresses: ['127.0.0.2', '127.0.0.1'] }, { addresses: ['127.0.0.2', '127.0.0.1'] }],
  [{ transfer_max: ['PHP'] }, { transfer_max: ['PHP'] }],
])('%j is sent as %j', (typed, sent) => {
  expect(changedOf(STANDING, typed)).toEqual(sent)
})
