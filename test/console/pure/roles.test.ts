// What the console says that a role may do, before somebody is given it, is what the gateway lets it do.
import { expect, test } from 'vitest'
import { ROLE_MAY } from '../../../console/src/members/words.ts'
import { ROLES, scopesOf } from '../../../src/domain/account/roles.ts'
import type { Scope } from '../../../src/domain/account/scopes.ts'

/** What changes something, or is not for everybody to read: the words for it in both languages. */
const SAID: Readonly<Partial<Record<Scope, readonly [en: RegExp, fil: RegExp]>>> = {
  'contracts:write': [/writes contracts/i, /\bgumagawa ng contract(?<!hindi gumagawa ng contract)/i],
  'transfers:issue': [/issues/, /nagbibigay/],
  'transfers:pay': [/, pays,/, /nagbabayad/],
  'transfers:cancel': [/cancels/, /nagkakansela/],
  'payments:refund': [/refunds/, /nagre-refund/],
  'profiles:write': [/writes profiles/i, /nagsusulat ng profile/i],
  'commands:write': [/in bulk/, /maramihan\b/],
  'approvals:write': [
    /approves transfers.*rejects.*verifications/,
    /nag-aapruba ng padala.*tinatanggihan.*beripikasyon/,
  ],
  'keys:write': [/makes keys/, /ng key/],
  'webhooks:manage': [/webhook/, /webhook/],
  'audit:read': [/audit list/, /audit list/],
}
/** The strongest two are said to do everything. */
const LIMITED = ROLES.filter((role) => role !== 'owner' && role !== 'admin')

test.each(LIMITED)('the words about a role name each thing that it may do, and nothing else: %s', (role) => {
  const scopes = scopesOf(role)
  for (const [scope, [en, fil]] of Object.entries(SAID)) {
    expect(en.test(ROLE_MAY.en[role]), `${scope}, in English`).toBe(scopes.has(scope as Scope))
    expect(fil.test(ROLE_MAY.fil[role]), `${scope}, in Filipino`).toBe(scopes.has(scope as Scope))
  }
})

test('no limited role may change what no words are for', () => {
  const beyondReading = LIMITED.flatMap((role) => [...scopesOf(role)]).filter((scope) => !scope.endsWith(':read'))
  expect(beyondReading.filter((scope) => SAID[scope] === undefined)).toEqual([])
})
