// The drills of CONTRIBUTING.md are changes of the present tree: each can be applied to it.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const DRILLS = readdirSync('docs/drills').filter((name) => name.endsWith('.diff'))

test.each(DRILLS)('%s applies', (name) => {
  const ran = spawnSync('git', ['apply', '--check', `docs/drills/${name}`], { encoding: 'utf8' })
  expect(ran.stderr, `make it anew: docs/drills/README.md says how`).toBe('')
  expect(ran.status).toBe(0)
})

test('there are three', () => expect(DRILLS).toHaveLength(3))
