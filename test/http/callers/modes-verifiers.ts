// The rows of verifiers and verifications in the wall between test and live. Lists of a live account are changed by people.
import { expect } from 'vitest'
import type { Method } from '../../world.ts'
import { absent, all, type Body, coded, type Crossing, without } from './modes-crossings.ts'
import { asPerson, personOf } from './modes-members.ts'
import { drafted, type Side } from './modes-stage.ts'
import { CODE, codeWaited, entry, hook, list, verification } from './tenant-verifiers.ts'

type Made = { readonly id: string; readonly livemode: boolean }

/** By a person of the side: in live mode no key may. */
const byPerson = async (side: Side) => ({ ...side.caller, ask: (await personOf(side)).ask })
const lists = async (side: Side) => list(side.world, await byPerson(side))
const entries = async (side: Side) => entry(side.world, await byPerson(side))
const hooks = async (side: Side) => hook(side.world, await byPerson(side))
const waited = (side: Side) => codeWaited(side.world, side.caller, () => hooks(side))
const asked = ({ world, caller }: Side) => verification(world, caller)

const at = (path: string, method: Method, body?: Body) =>
  asPerson(absent(method, `/verifiers/{id}${path}`, path.includes('{entry}') ? entries : lists, body))

/** A key of a live account makes no list; a person does, of the account's own mode. */
const made: Crossing = async (asking) => {
  const body = { kind: 'list', name: 'Mine' }
  const byKey = await asking.caller.ask('POST', '/verifiers', { body })
  if (asking.word === 'live') expect(coded(byKey)).toEqual([403, 'person_required'])
  const reply = await (await personOf(asking)).ask('POST', '/verifiers', { body })
  expect([reply.status, (reply.data['verifier'] as Made).livemode]).toEqual([200, asking.word === 'live'])
}

/** The other side's contract, profile and list are nothing to ask about. */
const askedAbout: Crossing = async (asking, owning) => {
  const [contract, verifier] = [await drafted(owning), await lists(owning)]
  const recipient = { name: 'Ana' }
  for (const [body, code] of [
    [{ kind: 'name', contract }, 'contract_not_found'],
    [{ verifier, recipient }, 'verifier_not_found'],
  ] as const)
    expect(coded(await asking.caller.ask('POST', '/verifications', { body }))).toEqual([404, code])
  const { data } = await asking.caller.ask('POST', '/verifications', { body: { kind: 'list', recipient } })
  expect((data['verification'] as Made).livemode).toBe(asking.word === 'live')
}

export const verifierRows: Readonly<Record<string, Crossing>> = {
  'GET /verifiers': without('/verifiers', 'verifiers', lists),
  'POST /verifiers': made,
  'GET /verifiers/{id}': at('', 'GET'),
  'PATCH /verifiers/{id}': at('', 'PATCH', { name: 'mine now' }),
  'DELETE /verifiers/{id}': at('', 'DELETE'),
  'GET /verifiers/{id}/entries': at('/entries', 'GET'),
  'POST /verifiers/{id}/entries': at('/entries', 'POST', { entries: [{ name: 'Ana' }] }),
  'DELETE /verifiers/{id}/entries/{entry}': at('/entries/{entry}', 'DELETE'),
  'POST /verifications': askedAbout,
  'GET /verifications': without('/verifications', 'verifications', asked),
  'GET /verifications/{id}': absent('GET', '/verifications/{id}', asked),
  'POST /verifications/{id}/answer': absent('POST', '/verifications/{id}/answer', waited, { code: CODE }),
  'POST /verifiers/{id}/roll-secret': asPerson(absent('POST', '/verifiers/{id}/roll-secret', hooks, {})),
  'POST /verifiers/{id}/try': asPerson(absent('POST', '/verifiers/{id}/try', hooks, {})),
  'PUT /verifications/{id}/retry': absent('PUT', '/verifications/{id}/retry', asked),
  'PUT /verifications/{id}/pass': asPerson(all(absent('PUT', '/verifications/{id}/pass', asked, { reason: 'mine' }))),
  'PUT /verifications/{id}/fail': asPerson(all(absent('PUT', '/verifications/{id}/fail', asked, { reason: 'mine' }))),
}
