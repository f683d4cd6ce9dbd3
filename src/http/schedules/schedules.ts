// The routes of schedules: make, look, list, change, pause, resume, end.
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  createSchedule,
  endSchedule,
  findWithRuns,
  pauseSchedule,
  resumeSchedule,
  runsOf,
  type ScheduleAsked,
  schedulesOf,
  updateSchedule,
} from '../../app/schedules/schedules.ts'
import { actingFor } from '../../domain/account/writers.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { type Maker, RUN_SCOPES, type Run, type Schedule, scheduleNotFound } from '../../domain/schedule/schedule.ts'
import { IdParams, ListQuery } from '../../wire/api.ts'
import {
  presentRun,
  presentSchedule,
  RunsReply,
  ScheduleBody,
  SchedulePatchBody,
  ScheduleReply,
  SchedulesQuery,
  SchedulesReply,
} from '../../wire/schedules/schedule.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, changerOf, type Context, described, guard, queryParserOf } from '../context.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { TAGGED, VERSIONED } from '../openapi/facts.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { type ReplyOf, sendUnchanged, succeed } from '../replies.ts'
import { mergePatch } from '../../app/contracts/merge-patch.ts'
import { readerOf } from '../../app/contracts/validation.ts'
import { planOf } from '../../app/schedules/plans.ts'
import { expectedVersions, isKnownTag, tagWithRunning } from '../request/versions.ts'
import { ruleRoute } from './rules.ts'

const TAG = 'Schedules'
const READ: Access = { accepts: 'api key', scope: 'commands:read' }
const WRITE: Access = { accepts: 'api key', scope: 'commands:write' }

/** What a template can be refused for. */
const UNFIT = ['channel_not_in_mode', 'requirements_not_met', 'wallet_not_found'] as const
const PAYS = { scopes: RUN_SCOPES.filter((scope) => scope !== WRITE.scope) }

export function scheduleRoutes(context: Context): void {
  createRoute(context)
  ruleRoute(context)
  listRoute(context)
  getRoute(context)
  runsRoute(context)
  updateRoute(context)
  pauseRoute(context)
  resumeRoute(context)
  endRoute(context)
}

function createRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { body: ScheduleBody, reply: ScheduleReply }
  const schema = described('schedules.create', 'Make a schedule', TAG, shapes, WRITE, PAYS, {
    sends: ['ETag'],
    refusals: [...UNFIT, 'schedules_full'],
  })
  app.post('/schedules', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const maker = makerOf(request)
    const plan = await planOf(rulesOf(context), callerOf(request), request.body ?? {})
    if (isRefusal(plan)) return sendRefusal(reply, plan)
    const { livemode, profileId } = callerOf(request)
    const made = await createSchedule(deps, changerOf(request), { livemode, profileId, maker }, plan)
    return sendSchedule(context, reply, made, [], 'Schedule created.')
  })
}

function listRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { querystring: SchedulesQuery, reply: SchedulesReply }
  const schema = described('schedules.list', 'List schedules, newest first', TAG, shapes, READ)
  const parse = queryParserOf(SchedulesQuery)
  app.get('/schedules', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const { status = null, after = null } = query
    if (after !== null && !isUuid(after)) throw badCursor()
    const limit = limitOf(query)
    const found = await schedulesOf(deps, callerOf(request), { status, after, limit })
    const { rows, next } = pageOf(found, limit, ({ schedule }) => schedule.id)
    const schedules = rows.map(({ schedule, runs }) => presentSchedule(schedule, runs, deps.nowMs()))
    return succeed(reply, 200, 'Schedules found.', { schedules, next })
  })
}

function getRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: ScheduleReply }
  const schema = described(
    'schedules.get',
    'Get a schedule, with its next and its latest runs',
    TAG,
    shapes,
    READ,
    TAGGED,
    { refusals: ['schedule_not_found'] },
  )
  app.get('/schedules/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const found = await findWithRuns(deps, callerOf(request), request.params.id)
    if (isRefusal(found)) return sendRefusal(reply, found)
    const tag = tagOf(found.schedule, found.runs)
    if (isKnownTag(request, tag)) {
      reply.header('ETag', tag)
      return sendUnchanged(reply)
    }
    return sendSchedule(context, reply, found.schedule, found.runs, 'Schedule found.')
  })
}

function runsRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, querystring: ListQuery, reply: RunsReply }
  const schema = described('schedules.runs', 'List the runs of a schedule, newest first', TAG, shapes, READ, {
    refusals: ['schedule_not_found'],
  })
  const parse = queryParserOf(ListQuery)
  app.get('/schedules/:id/runs', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const limit = limitOf(query)
    const found = await runsOf(deps, callerOf(request), request.params.id, { below: runBefore(query.after), limit })
    if (isRefusal(found)) return sendRefusal(reply, found)
    const { rows, next } = pageOf(found, limit, ({ number }) => String(number))
    return succeed(reply, 200, 'Runs of the schedule found.', { runs: rows.map(presentRun), next })
  })
}

function runBefore(after: string | undefined): number | null {
  if (after === undefined) return null
  if (!/^[1-9]\d{0,8}$/.test(after)) throw badCursor()
  return Number(after)
}

const readPatch = readerOf(SchedulePatchBody)

function updateRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, body: SchedulePatchBody, reply: ScheduleReply }
  const schema = described('schedules.update', 'Update a schedule', TAG, shapes, WRITE, VERSIONED, PAYS, {
    refusals: [...UNFIT, 'schedule_not_found', 'schedule_ended'],
  })
  app.patch('/schedules/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const maker = makerOf(request)
    const sent = readPatch(request.body ?? {})
    if (isRefusal(sent)) return sendRefusal(reply, sent)
    const caller = callerOf(request)
    const asked = askedIn(request)
    const found = await findWithRuns(deps, caller, asked.id)
    if (isRefusal(found)) return sendRefusal(reply, found)
    const { name, template, source, rule, version } = found.schedule
    const plan = await planOf(rulesOf(context), caller, mergePatch({ name, template, source, rule }, sent.read))
    if (isRefusal(plan)) return sendRefusal(reply, plan)
    // The patch was made of what was read just now: by then it must not be another.
    const versions = (asked.versions ?? [version]).filter((each) => each === version)
    const changed = await updateSchedule(deps, changerOf(request), { id: asked.id, versions }, plan, maker)
    return sendSchedule(context, reply, changed, found.runs, 'Schedule updated.')
  })
}

function pauseRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: ScheduleReply }
  const schema = described('schedules.pause', 'Pause a schedule', TAG, shapes, WRITE, VERSIONED, {
    refusals: ['schedule_not_found', 'schedule_ended'],
  })
  app.put('/schedules/:id/pause', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const changed = await pauseSchedule(deps, changerOf(request), askedIn(request))
    return sendWithRuns(context, reply, changed, 'Schedule paused: nothing is paid until it is resumed.')
  })
}

function resumeRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: ScheduleReply }
  const schema = described(
    'schedules.resume',
    'Resume a paused schedule: runs left out meanwhile are not made up for',
    TAG,
    shapes,
    WRITE,
    VERSIONED,
    PAYS,
    { refusals: ['schedule_not_found', 'schedule_ended'] },
  )
  app.put('/schedules/:id/resume', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const maker = makerOf(request)
    const changed = await resumeSchedule(deps, changerOf(request), askedIn(request), maker)
    return sendWithRuns(context, reply, changed, 'Schedule resumed.')
  })
}

function endRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: ScheduleReply }
  const schema = described('schedules.end', 'End a schedule for good', TAG, shapes, WRITE, VERSIONED, {
    refusals: ['schedule_not_found'],
  })
  app.delete('/schedules/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const changed = await endSchedule(deps, changerOf(request), askedIn(request))
    return sendWithRuns(context, reply, changed, 'Schedule ended. Contracts that it made stay as they are.')
  })
}

const rulesOf = ({ deps, settings }: Context) => ({ deps, currencies: settings.currencies })

/** As whom the runs will act: whoever may do by hand what they do. Throws where that is not so. */
function makerOf(request: FastifyRequest): Maker {
  const { keyId, memberId, scopes } = callerOf(request)
  const lacking = RUN_SCOPES.filter((scope) => !scopes.has(scope))
  if (lacking.length > 0) {
    const words = `The credential lacks ${lacking.join(', ')}: the runs of a schedule are made, issued and paid as by it.`
    throw new RefusedRequest(refuse('scope_missing', null, words))
  }
  return actingFor({ keyId, memberId })
}

type RequestWithSchedule = FastifyRequest & { readonly params: { readonly id: string } }

/** The schedule that the path names, and the versions at one of which it must stand. Throws what is wrong with either. */
function askedIn(request: RequestWithSchedule): ScheduleAsked {
  const { id } = request.params
  if (!isUuid(id)) throw new RefusedRequest(scheduleNotFound())
  const versions = expectedVersions(request)
  if (isRefusal(versions)) throw new RefusedRequest(versions)
  return { id, versions }
}

const tagOf = ({ version }: Schedule, runs: readonly Run[]): string =>
  tagWithRunning(version, runs.filter(({ status }) => status === 'running').length)

type ScheduleReplyOf = ReplyOf<typeof ScheduleReply>

async function sendWithRuns(
  context: Context,
  reply: ScheduleReplyOf,
  changed: Schedule | Refusal,
  message: string,
): Promise<FastifyReply> {
  if (isRefusal(changed)) return sendRefusal(reply, changed)
  const found = await findWithRuns(context.deps, changed, changed.id)
  return sendSchedule(context, reply, changed, isRefusal(found) ? [] : found.runs, message)
}

function sendSchedule(
  { deps }: Context,
  reply: ScheduleReplyOf,
  schedule: Schedule | Refusal,
  runs: readonly Run[],
  message: string,
): FastifyReply {
  if (isRefusal(schedule)) return sendRefusal(reply, schedule)
  reply.header('ETag', tagOf(schedule, runs))
  return succeed(reply, 200, message, { schedule: presentSchedule(schedule, runs, deps.nowMs()) })
}
