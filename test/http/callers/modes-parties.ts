// The rows of profiles, wallets, reference data and search in the wall between test and live.
import { expect } from 'vitest'
import type { Caller, Method } from '../../world.ts'
import {
  ABSENT,
  absent,
  all,
  type Body,
  coded,
  type Crossing,
  ownMode,
  refused,
  without,
  words,
} from './modes-crossings.ts'
import { drafted, endpoint, event, issued, payment, received, type Side, wallet } from './modes-stage.ts'

type Made = { readonly id: string; readonly livemode: boolean }

const profile = async ({ caller }: Side) =>
  ((await caller.ask('POST', '/profiles', { body: { name: 'Ana Reyes' } })).data['profile'] as Made).id

const savedOf = ({ draft }: Side) => ({ channel: draft['channel'], recipient: draft['recipient'] })

/** A profile with a saved way to pay it: `id/inner`. */
async function destination(side: Side): Promise<string> {
  const id = await profile(side)
  const { data } = await side.caller.ask('POST', `/profiles/${id}/destinations`, { body: savedOf(side) })
  return `${id}/${(data['destination'] as Made).id}`
}

/** In a profile of one's own the other side's destination is not there either. */
const innerOf =
  (method: 'PATCH' | 'DELETE', body: object = {}): Crossing =>
  async (asking, owning) => {
    const [id, inner] = [await profile(asking), (await destination(owning)).split('/')[1]]
    const at = (each: string | undefined) => asking.caller.ask(method, `/profiles/${id}/destinations/${each}`, { body })
    const [theirs, none] = [await at(inner), await at(ABSENT)]
    expect([...coded(theirs), words(theirs)]).toEqual([404, 'destination_not_found', words(none)])
  }

/** Told to be of the other mode it is of one's own nevertheless: what a profile shows may be sent back. */
const ownProfile: Crossing = async ({ caller, word }) => {
  const body = { name: 'Ana', livemode: word !== 'live' }
  const { status, data } = await caller.ask('POST', '/profiles', { body })
  expect([status, (data['profile'] as Made).livemode]).toEqual([200, word === 'live'])
}

type Naming = readonly [method: Method, path: string, fields: (profile: string) => object, code: string]

/** The other side's profile is nobody to pay, to issue to, or to have been paid by. */
const named: Crossing = async (asking, owning) => {
  const theirs = await profile(owning)
  const { amount, currency } = asking.draft
  const [own, paidOne] = [await drafted(asking), await received(asking, 100_00n)]
  const issuedTo = (id: string) => ({ amount, currency, issued_to: id })
  const paid = (id: string) => ({ amount, currency, recipient: { profile: id } })
  const namings: readonly Naming[] = [
    ['POST', '/contracts/transfer', paid, 'invalid_recipient_profile'],
    ['POST', '/contracts/transfer', issuedTo, 'invalid_issued_to'],
    ['PATCH', `/contracts/transfer/${own}`, paid, 'invalid_recipient_profile'],
    ['POST', '/contracts/payment', issuedTo, 'invalid_issued_to'],
    ['POST', `/contracts/payment/${paidOne}/payer-profile`, (id) => ({ profile: id }), 'invalid_profile'],
  ]
  for (const [method, path, fields, code] of namings) {
    const ask = (id: string) => asking.caller.ask(method, path, { body: fields(id) })
    const [reply, none] = [await ask(theirs), await ask(ABSENT)]
    expect([...coded(reply), words(reply)], path).toEqual([400, code, words(none)])
  }
}

const at = (path: string, method: Method, body?: Body) =>
  absent(method, `/profiles/{id}${path}`, path.includes('{destination}') ? destination : profile, body)

const command = async ({ caller }: Side) =>
  ((await caller.ask('POST', '/commands', { body: { type: 'transfers.create' } })).data['command'] as Made).id
const oneOf = (path: string, method: Method, body?: Body) => absent(method, `/commands/{id}${path}`, command, body)

const commandRows: Readonly<Record<string, Crossing>> = {
  'POST /commands': ownMode(
    'POST',
    '/commands',
    { type: 'transfers.create' },
    ({ data }) => (data['command'] as Made).livemode,
  ),
  'GET /commands': without('/commands', 'commands', command),
  'GET /commands/{id}': oneOf('', 'GET'),
  'GET /commands/{id}/rows': oneOf('/rows', 'GET'),
  'GET /commands/{id}/file': oneOf('/file', 'GET'),
  'POST /commands/{id}/rows': oneOf('/rows', 'POST', { rows: [{}] }),
  'PUT /commands/{id}/start': oneOf('/start', 'PUT'),
  'PUT /commands/{id}/pause': oneOf('/pause', 'PUT'),
  'PUT /commands/{id}/resume': oneOf('/resume', 'PUT'),
  'PUT /commands/{id}/cancel': oneOf('/cancel', 'PUT'),
}

const profileRows: Readonly<Record<string, Crossing>> = {
  'POST /profiles': all(ownProfile, named),
  'GET /profiles': without('/profiles', 'profiles', profile),
  'GET /profiles/{id}': at('', 'GET'),
  'GET /profiles/{id}/versions': at('/versions', 'GET'),
  'PATCH /profiles/{id}': at('', 'PATCH', { name: 'mine now' }),
  'DELETE /profiles/{id}': at('', 'DELETE'),
  'PUT /profiles/{id}/restore': at('/restore', 'PUT'),
  'POST /profiles/{id}/destinations': all(
    at('/destinations', 'POST', { channel: 'wallet', recipient: { wallet: ABSENT } }),
    refused('POST', '/profiles/{id}/destinations', profile, savedOf, 'channel'),
  ),
  'PATCH /profiles/{id}/destinations/{destination}': all(
    at('/destinations/{destination}', 'PATCH', { label: 'mine now' }),
    innerOf('PATCH', { label: 'mine now' }),
  ),
  'DELETE /profiles/{id}/destinations/{destination}': all(
    at('/destinations/{destination}', 'DELETE'),
    innerOf('DELETE'),
  ),
  'POST /contracts/payment/{id}/payer-profile': absent(
    'POST',
    '/contracts/payment/{id}/payer-profile',
    (side) => received(side, 100_00n),
    {},
  ),
}

const ownWallet = ownMode('POST', '/wallets', { currency: 'PHP' }, ({ data }) => (data['wallet'] as Made).livemode)

/** The other side's wallet is nobody's for a transfer: neither is it paid, nor does it pay. */
const paysNone: Crossing = async (asking, owning) => {
  const theirs = await wallet(owning)
  const body = (id: string) => ({ body: { amount: 1, currency: 'PHP', channel: 'wallet', recipient: { wallet: id } } })
  const faults = await Promise.all(
    [theirs, ABSENT].map(async (id) => {
      const { data } = await asking.caller.ask('POST', '/contracts/transfer', body(id))
      return (data['contract'] as { preview: { messages: unknown[] } }).preview.messages
    }),
  )
  expect(faults[0]).toEqual(faults[1])
  expect(faults[0]).toHaveLength(1)
  const path = `/contracts/transfer/${await issued(asking)}/pay`
  expect(coded(await asking.caller.ask('PUT', path, { body: { source: theirs } }))).toEqual([404, 'wallet_not_found'])
}

const walletRows: Readonly<Record<string, Crossing>> = {
  'POST /wallets': all(ownWallet, paysNone),
  'GET /wallets': without('/wallets', 'wallets', wallet),
  'GET /wallets/{id}': absent('GET', '/wallets/{id}', wallet),
  'PATCH /wallets/{id}': absent('PATCH', '/wallets/{id}', wallet, { label: 'mine now' }),
  'GET /wallets/{id}/entries': absent('GET', '/wallets/{id}/entries', wallet),
  'GET /wallets/{id}/statement': absent('GET', '/wallets/{id}/statement', wallet),
  'POST /wallets/{id}/topups': absent('POST', '/wallets/{id}/topups', wallet, { amount: 1 }),
}

const sets = async ({ caller }: Pick<Side, 'caller'>) => (await caller.ask('GET', '/resources')).data

const hitsOf = async (caller: Caller, q: string) =>
  ((await caller.ask('GET', `/search?q=${q}`)).data['results'] as Made[]).map(({ id, livemode }) => [id, livemode])

const resourceRows: Readonly<Record<string, Crossing>> = {
  // Reference data is of no mode: what differs by mode is in GET /channels.
  'GET /resources': async (asking, owning) => {
    expect(await sets(asking)).toEqual(await sets(owning))
  },
  'GET /resources/{id}': all(
    ...[drafted, payment, event, wallet, profile, endpoint].map((make) => absent('GET', '/resources/{id}', make)),
  ),
  'GET /search': async (asking, owning) => {
    for (const make of [drafted, payment, profile]) {
      const [mine, theirs] = [await make(asking), await make(owning)]
      expect(await hitsOf(asking.caller, mine)).toEqual([[mine, asking.word === 'live']])
      expect(await hitsOf(asking.caller, theirs)).toEqual([])
    }
    const told = await asking.caller.all<Made>('/search?q=Ana+Reyes', 'results')
    expect(told.length).toBeGreaterThan(0)
    expect(told.filter(({ livemode }) => livemode !== (asking.word === 'live'))).toEqual([])
  },
}

export const partyRows = { ...profileRows, ...commandRows, ...walletRows, ...resourceRows }
