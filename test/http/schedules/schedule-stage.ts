// What the tests of schedules ask for, in few words.
import { commandsRound, type RunDeps } from '../../../src/app/commands/run.ts'
import { openRests } from '../../../src/app/schedules/rests.ts'
import type { RunDeps as ScheduleRunDeps } from '../../../src/app/schedules/runs.ts'
import { openLog } from '../../../src/platform/log.ts'
import type { Presenter } from '../../../src/wire/transfer.ts'
import type { presentSchedule } from '../../../src/wire/schedules/schedule.ts'
import { type Caller, READY, type Reply, type World } from '../../world.ts'

export type ScheduleBody = ReturnType<typeof presentSchedule>

export const DAILY = { every: 'day', time: '09:00', time_zone: 'Asia/Manila' }
export const RENT = { name: 'Rent', template: READY, rule: DAILY }

/** Speaks about the schedules of an account; what should succeed and does not fails the test at once. */
export function schedulesOf(caller: Caller) {
  const done = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) => {
    const reply = await caller.ask(method, path, body === undefined ? {} : { body })
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.data['schedule'] as ScheduleBody
  }
  return {
    make: (body: object = RENT) => done('POST', '/schedules', body),
    get: (id: string) => done('GET', `/schedules/${id}`),
    patch: (id: string, body: object) => done('PATCH', `/schedules/${id}`, body),
    pause: (id: string) => done('PUT', `/schedules/${id}/pause`),
    resume: (id: string) => done('PUT', `/schedules/${id}/resume`),
    end: (id: string) => done('DELETE', `/schedules/${id}`),
  }
}

/** The next run of the schedule is due, and has been for a while. */
export async function makeDue({ sql }: World, id: string, ago = '3 days'): Promise<void> {
  await sql(
    `update schedules set next_at = now() - $2::interval,
            document = (document::jsonb || jsonb_build_object('nextAt', floor(extract(epoch from now() - $2::interval) * 1000)))::json
      where id = $1`,
    [id, ago],
  )
}

export const told = ({ status, error }: Reply) => [status, error.code, error.param]

/** Exports alone are shown by it, and no run is one. */
const NO_PRESENTER = {} as Presenter

/** What the rounds of schedules have, in these lanes; nothing of it is logged. */
export const scheduleDeps = (
  { gateway: { deps }, caller }: World,
  lanes: readonly number[] = [caller.account.lane],
): ScheduleRunDeps => ({
  ...deps,
  lanes,
  currencies: new Set(['PHP', 'USD']),
  rests: openRests({ ...deps, log: openLog('silent') }),
})

/** Works on commands as the workers of a gateway do, until there is nothing to do now: on those of the world's own lane. */
export async function workOnCommands(
  { gateway: { deps }, caller }: World,
  changed: Partial<RunDeps> = {},
  howLong: 'to the end' | 'once' = 'to the end',
  lanes: readonly number[] = [caller.account.lane],
): Promise<void> {
  const own = { currencies: new Set(['PHP', 'USD']), log: openLog('fatal'), presenter: NO_PRESENTER }
  const round = () => commandsRound({ ...deps, ...own, ...changed }, lanes)
  while ((await round()) > 0 && howLong === 'to the end');
}

/** How many contracts of the account have been paid. */
export async function paidContracts({ sql }: World, { account: { accountId } }: Caller): Promise<number> {
  const [paid] = await sql<{ n: string }>(
    `select count(*) as n from contracts where account_id = $1 and status not in ('draft', 'issued')`,
    [accountId],
  )
  return Number(paid?.n)
}
