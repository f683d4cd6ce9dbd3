// What is asked before lanes are moved: which, from where to where, and how many accounts that is about.
import { expect, test } from 'vitest'
import { moveQuestion } from '../../src/cli/operator/lanes.ts'

test('a lane by itself', () => {
  const standing = { lane: 43, lanes: [43], node: 'home', accounts: 12 }
  expect(moveQuestion(standing, 'east')).toBe('Lane 43 is on home and has 12 accounts. Move it to east?')
  expect(moveQuestion({ ...standing, accounts: 1 }, 'east')).toContain('has 1 account.')
})

test('with the others of its shard', () => {
  const standing = { lane: 17, lanes: [3, 16, 17, 18], node: '10.0.0.1:5432', accounts: 40 }
  expect(moveQuestion(standing, '10.0.0.2:5432')).toBe(
    'Lane 17 is on 10.0.0.1:5432, in one shard with 3, 16, 18: 40 accounts in all. Move them to 10.0.0.2:5432?',
  )
})
