// What documents list of the code is what the code has: kinds of events, what roles may, templates of policies, and no package that
// is not there yet.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TEMPLATES } from '../../console/src/policies/form/form.ts'
import { ROLES, scopesOf } from '../../src/domain/account/roles.ts'
import type { Scope } from '../../src/domain/account/scopes.ts'
import { EVENT_TYPES_OF } from '../../src/wire/events.ts'

const webhooks = readFileSync('docs/webhooks.md', 'utf8')
const members = readFileSync('docs/members.md', 'utf8')

test('webhooks.md names every kind of object that an event is about', () => {
  const listed = /`kind` is what `data\.object` is: ([^;]+);/.exec(webhooks)?.[1] ?? ''
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, kind]) => kind).toSorted()).toEqual(
    Object.keys(EVENT_TYPES_OF).toSorted(),
  )
})

const WORDS: Partial<Record<Scope, string>> = {
  'contracts:write': 'write contracts',
  'transfers:issue': 'issue',
  'transfers:pay': 'pay',
  'transfers:cancel': 'cancel',
  'payments:refund': 'refund',
  'profiles:write': 'write profiles',
  'commands:write': 'give commands and schedules',
  'approvals:write': 'approve and reject transfers, pass and fail verifications',
  'webhooks:manage': 'webhook endpoints',
  'keys:write': 'keys within those rights',
  'audit:read': 'the audit list',
}
const WHOLE = new Set(['owner', 'admin'])

test.each(ROLES.filter((role) => !WHOLE.has(role)))('members.md says of %s what it may', (role) => {
  const row = new RegExp(`^\\| \`${role}\` \\| (.*) \\|$`, 'm').exec(members)?.[1] ?? ''
  const told = Object.entries(WORDS).flatMap(([scope, words]) => (row.includes(words) ? [scope] : []))
  const more = [...scopesOf(role)].filter((scope) => !scope.endsWith(':read') || scope === 'audit:read')
  expect(told.toSorted()).toEqual(more.toSorted())
})

test('console.md says how many templates a policy may begin with', () => {
  const counted = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'][
    TEMPLATES.filter((name) => name !== 'blank').length
  ]
  expect(readFileSync('docs/console.md', 'utf8')).toContain(`begins with one of ${counted}, or with nothing`)
})
