// The rows of schedules in the wall between accounts.
import type { Caller } from '../../world.ts'
import { DAILY, RENT, schedulesOf } from '../schedules/schedule-stage.ts'
import type { Row, Rows } from '../callers/tenant-row.ts'

/** One of the newest: there is always room for it. */
async function schedule(owner: Caller): Promise<string> {
  const { data } = await owner.ask('GET', '/schedules?status=active&limit=100')
  const others = data['schedules'] as { readonly id: string }[]
  if (others.length > 50) for (const { id } of others) await schedulesOf(owner).end(id)
  return (await schedulesOf(owner).make()).id
}

const reads = (id: Row['id'] | null): Row => ({ access: 'key', scope: 'commands:read', ...(id ? { id } : {}) })
const writes = (body: unknown, id: Row['id'] | null): Row => ({
  access: 'key',
  scope: 'commands:write',
  ...(body === null ? {} : { body }),
  ...(id ? { id } : {}),
})

export const scheduleRows: Rows = {
  'POST /schedules': writes(RENT, null),
  'POST /schedules/next': { access: 'key', scope: 'commands:read', body: { rule: DAILY } },
  'GET /schedules': reads(null),
  'GET /schedules/{id}': reads(schedule),
  'GET /schedules/{id}/runs': reads(schedule),
  'PATCH /schedules/{id}': writes({ name: 'mine now' }, schedule),
  'PUT /schedules/{id}/pause': writes(null, schedule),
  'PUT /schedules/{id}/resume': writes(null, schedule),
  'DELETE /schedules/{id}': writes(null, schedule),
}
