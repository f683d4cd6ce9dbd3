// The rows of schedules in the wall between test and live.
import { expect } from 'vitest'
import type { Method } from '../../world.ts'
import { DAILY } from '../schedules/schedule-stage.ts'
import { absent, type Body, type Crossing, refused, without } from '../callers/modes-crossings.ts'
import { type Side, stateOf } from '../callers/modes-stage.ts'

type Made = { readonly id: string; readonly livemode: boolean }

const planOf = ({ draft }: Side) => ({ template: draft, rule: DAILY })

const schedule = async (side: Side) =>
  ((await side.caller.ask('POST', '/schedules', { body: planOf(side) })).data['schedule'] as Made).id

const at = (path: string, method: Method, body?: Body) => absent(method, `/schedules/{id}${path}`, schedule, body)

/** A rule is of no mode, and nothing is made of it. */
const readsRule: Crossing = async (asking) => {
  const before = await stateOf(asking)
  const { status, data } = await asking.caller.ask('POST', '/schedules/next', { body: { rule: DAILY } })
  expect([status, (data['next_runs'] as unknown[]).length]).toEqual([200, 5])
  expect(await stateOf(asking)).toEqual(before)
}

export const scheduleRows: Readonly<Record<string, Crossing>> = {
  'POST /schedules': refused('POST', '/schedules', async () => '', planOf, 'template.channel'),
  'POST /schedules/next': readsRule,
  'GET /schedules': without('/schedules', 'schedules', schedule),
  'GET /schedules/{id}': at('', 'GET'),
  'GET /schedules/{id}/runs': at('/runs', 'GET'),
  'PATCH /schedules/{id}': at('', 'PATCH', { name: 'mine now' }),
  'PUT /schedules/{id}/pause': at('/pause', 'PUT'),
  'PUT /schedules/{id}/resume': at('/resume', 'PUT'),
  'DELETE /schedules/{id}': at('', 'DELETE'),
}
