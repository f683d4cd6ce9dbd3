// Every state of a webhook endpoint with everything that may be asked of it.
import { expect, test } from 'vitest'
import {
  type EndpointState,
  type EndpointVerb,
  eventsFor,
  eventsNotSent,
  isServed,
  moveEndpoint,
} from '../../../src/domain/webhook/endpoint.ts'
import { ALL_EVENT_TYPES } from '../../../src/domain/account/events.ts'
import { SCOPES, type Scope } from '../../../src/domain/account/scopes.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'

const STATES: Record<string, EndpointState> = {
  enabled: { status: 'enabled', disabledBecause: null },
  paused: { status: 'paused', disabledBecause: null },
  'disabled by its caller': { status: 'disabled', disabledBecause: 'caller' },
  'disabled as gone': { status: 'disabled', disabledBecause: 'gone' },
}
const REFUSED = 'webhook_endpoint_disabled'
const WALLETS = ['wallet.created', 'wallet.updated', 'wallet.low']

test.each<[string, EndpointVerb, string, string | null]>([
  ['enabled', 'enable', 'enabled', 'goes on'],
  ['enabled', 'pause', 'paused', 'is interrupted'],
  ['enabled', 'disable', 'disabled by its caller', 'is interrupted'],
  ['paused', 'enable', 'enabled', 'goes on'],
  ['paused', 'pause', 'paused', 'goes on'],
  ['paused', 'disable', 'disabled by its caller', 'is interrupted'],
  ['disabled by its caller', 'enable', 'enabled', 'begins anew'],
  ['disabled by its caller', 'pause', REFUSED, null],
  ['disabled by its caller', 'disable', 'disabled by its caller', 'goes on'],
  ['disabled as gone', 'enable', 'enabled', 'begins anew'],
  ['disabled as gone', 'pause', REFUSED, null],
  ['disabled as gone', 'disable', 'disabled as gone', 'goes on'],
])('%s, asked to %s: %s, and serving %s', (from, verb, to, serving) => {
  const before = STATES[from]!
  const move = moveEndpoint(before, verb)
  const seen = isRefusal(move) ? { code: move.code } : move
  expect(seen).toEqual(to === REFUSED ? { code: REFUSED } : { state: STATES[to], serving })
  // What changes nothing is the very state, so that nothing is written.
  expect(!isRefusal(move) && move.state === before).toBe(from === to)
})

test.each(Object.values(STATES))('one that is $status can be deleted, and is served only while enabled', (state) => {
  expect(moveEndpoint(state, 'delete')).toEqual({
    state: { status: 'deleted', disabledBecause: null },
    serving: 'is interrupted',
  })
  expect(isServed(state)).toBe(state === STATES['enabled'])
})

test.each<[string, readonly Scope[], readonly string[] | null, readonly string[]]>([
  ['everything, for a key that reads everything', SCOPES, null, ['*']],
  ['all of wallets, for a key that reads these alone', ['wallets:read'], null, WALLETS],
  ['what is named', SCOPES, ['contract.paid', 'wallet.low', 'contract.paid'], ['contract.paid', 'wallet.low']],
  ['contracts, for whoever reads the feed of them', ['events:read'], ['contract.paid'], ['contract.paid']],
])('an endpoint gets %s', (_, scopes, wanted, events) => {
  expect(eventsFor(new Set(scopes), wanted)).toEqual(events)
})

test.each<[string, readonly Scope[], readonly string[] | null, Scope]>([
  ['nothing beyond the key', ['webhooks:manage', 'wallets:read'], ['wallet.low', 'contract.paid'], 'contracts:read'],
  ['not all of them by a star', ['contracts:read', 'wallets:read', 'profiles:read'], ['*'], 'audit:read'],
  ['nothing at all, for a key that reads nothing', ['webhooks:manage'], null, 'contracts:read'],
])('an endpoint gets %s', (_, scopes, wanted, lacking) => {
  const message = expect.stringContaining(lacking) as string
  expect(eventsFor(new Set(scopes), wanted)).toMatchObject({ code: 'scope_missing', param: 'events', message })
})

test('what an endpoint gets and what it does not are all there is', () => {
  expect(eventsNotSent(['*'])).toEqual([])
  for (const type of ALL_EVENT_TYPES)
    expect([...eventsNotSent([type]), type].toSorted()).toEqual([...ALL_EVENT_TYPES].toSorted())
})
