// Schedules: made, changed, paused, resumed and ended, and one that runs for the last time.
import { scheduleRound } from '../../../../src/app/schedules/runs.ts'
import { ALL_LANES } from '../../../../src/domain/contract/ids.ts'
import { makeDue, scheduleDeps, workOnCommands } from '../../../http/schedules/schedule-stage.ts'
import { idIn, NOBODY, type Stage } from '../stage.ts'

const TEMPLATE = {
  amount: 25_000,
  currency: 'PHP',
  channel: 'sandbox',
  recipient: { name: 'Maria Santos', wallet: '000123456789' },
  description: 'Rent',
}
const RULE = {
  every: 'month',
  day: 31,
  time: '09:00',
  time_zone: 'Asia/Manila',
  banking_days: { adjust: 'previous', country: 'PH' },
  starts_at: '2090-01-01T00:00:00Z',
}

export async function schedules({ world, played: { ask } }: Stage): Promise<void> {
  const rent = { name: 'Rent', template: TEMPLATE, rule: RULE }
  const made = idIn(await ask('schedules.create', { body: rent }), 'schedule')
  await ask('schedules.create', { body: { ...rent, rule: { ...RULE, day: null } } })
  await ask('schedules.next', { body: { rule: RULE } })
  await ask('schedules.next', { body: { rule: { ...RULE, day: null } } })
  await ask('schedules.get', { params: made })
  await ask('schedules.get', { params: NOBODY })
  await ask('schedules.list', { query: { status: 'active' } })
  await ask('schedules.list', { query: { limit: '1000' } })
  await ask('schedules.update', { params: made, body: { template: { amount: 26_000 }, rule: { time: '10:00' } } })
  await ask('schedules.update', { params: made, body: { rule: { time_zone: 'Mars/Base' } } })
  await ask('schedules.pause', { params: made })
  await ask('schedules.pause', { params: NOBODY })
  await ask('schedules.resume', { params: made })
  await ask('schedules.resume', { params: NOBODY })
  await ask('schedules.end', { params: made })
  await ask('schedules.end', { params: NOBODY })
  await ask('schedules.resume', { params: made })
  const once = { ...RULE, day: null, banking_days: null, starts_at: null, every: 'once', date: '2090-01-31' }
  const last = idIn(await ask('schedules.create', { body: { ...rent, rule: once } }), 'schedule')
  await makeDue(world, last.id)
  await scheduleRound(scheduleDeps(world, ALL_LANES))
  await workOnCommands(world, {}, 'to the end', ALL_LANES)
  await ask('schedules.runs', { params: last })
  await ask('schedules.runs', { params: NOBODY })
}
