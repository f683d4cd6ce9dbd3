// The routes of profiles: make, look, list, change, archive, restore. `me` is the account's own.
import { TAGGED, VERSIONED } from '../openapi/facts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ProfileAsked } from '../../app/profiles/changes.ts'
import {
  archiveProfile,
  createProfile,
  findNamed,
  profilesOf,
  restoreProfile,
  updateProfile,
  versionsOf,
  type WrittenProfile,
} from '../../app/profiles/profiles.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { profileNotFound } from '../../domain/profile/decide.ts'
import { emailMark, type Mark } from '../../domain/profile/marks.ts'
import type { Profile, Relation } from '../../domain/profile/profile.ts'
import { seenText } from '../../domain/text/texts.ts'
import type { ProfileFilter } from '../../store/profiles/profiles.ts'
import { ListQuery } from '../../wire/api.ts'
import {
  ChangedProfileReply,
  presentDuplicates,
  presentPayer,
  presentProfile,
  ProfileBody,
  ProfileParams,
  ProfilePatchBody,
  ProfileQuery,
  ProfileReply,
  ProfilesQuery,
  ProfilesReply,
} from '../../wire/profiles/profile.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, changerOf, type Context, described, guard, queryParserOf } from '../context.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { badCursor, limitOf, pageOf, versionBefore } from '../pages.ts'
import { type ReplyOf, sendUnchanged, succeed } from '../replies.ts'
import { mobileNumber } from '../../domain/text/mobile.ts'
import { expectedVersions, isKnownTag, versionTag } from '../request/versions.ts'
import { factsIn, factsPatch, readProfilePatch } from './reading.ts'

export const PROFILES = 'Profiles'
const READ: Access = { accepts: 'api key', scope: 'profiles:read' }
export const WRITE: Access = { accepts: 'api key', scope: 'profiles:write' }

export function profileRoutes(context: Context): void {
  createRoute(context)
  listRoute(context)
  getRoute(context)
  versionsRoute(context)
  updateRoute(context)
  archiveRoute(context)
  restoreRoute(context)
}

function createRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'profiles.create',
    'Make a profile',
    PROFILES,
    { body: ProfileBody, reply: ChangedProfileReply },
    WRITE,
    { sends: ['ETag'], refusals: ['channel_not_in_mode', 'destinations_full'] },
  )
  app.post('/profiles', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const facts = factsIn(request.body ?? {})
    if (isRefusal(facts)) return sendRefusal(reply, facts)
    const { livemode } = callerOf(request)
    const made = await createProfile(deps, changerOf(request), { livemode, facts })
    return sendWritten(reply, made, 'Profile created.')
  })
}

function listRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { querystring: ProfilesQuery, reply: ProfilesReply }
  const schema = described(
    'profiles.list',
    'List profiles, newest first; your own is not among them',
    PROFILES,
    shapes,
    READ,
  )
  const parse = queryParserOf(ProfilesQuery)
  app.get('/profiles', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const caller = callerOf(request)
    const filter = filterOf(parse(request.query), caller.profileId)
    const { rows, next } = pageOf(await profilesOf(deps, caller, filter), filter.limit, ({ id }) => id)
    const profiles = rows.map((profile) => presentProfile(profile, 'contact'))
    return succeed(reply, 200, 'Profiles found.', { profiles, next })
  })
}

function filterOf(query: ProfilesQuery, except: string): ProfileFilter {
  const { type = null, status = null, reference, email, mobile, after } = query
  if (after !== undefined && !isUuid(after)) throw badCursor()
  const marks: Mark[] = [
    ...(reference === undefined ? [] : [{ kind: 'reference', value: seenText(reference) ?? '' } as const]),
    ...(email === undefined ? [] : [{ kind: 'email', value: emailMark(email) } as const]),
    ...(mobile === undefined ? [] : [{ kind: 'mobile', value: numberIn(mobile) } as const]),
  ]
  return { type, status, marks, except, after: after ?? null, limit: limitOf(query) }
}

function numberIn(sent: string): string {
  const number = mobileNumber(sent)
  if (number !== null) return number
  const fix = 'In a URL, + is written as %2B.'
  const words = `mobile must be an international number such as +639171234567 (or 09171234567). ${fix}`
  throw new RefusedRequest(refuseAll([invalid('mobile', words)]))
}

function getRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: ProfileParams, querystring: ProfileQuery, reply: ProfileReply }
  const schema = described(
    'profiles.get',
    'Get a profile, as it stands or as it stood',
    PROFILES,
    shapes,
    READ,
    TAGGED,
    { refusals: ['profile_not_found'] },
  )
  const parse = queryParserOf(ProfileQuery)
  app.get('/profiles/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const { version } = parse(request.query)
    const asked = version === undefined ? null : Number(version)
    const found = await findNamed(deps, callerOf(request), profileId(request), asked)
    if (isRefusal(found)) return sendRefusal(reply, found)
    if (found.relation === 'payer') return succeed(reply, 200, 'Profile found.', { profile: presentPayer(found.payer) })
    const tag = versionTag(found.profile.version)
    reply.header('ETag', tag)
    if (isKnownTag(request, tag)) return sendUnchanged(reply)
    return succeed(reply, 200, 'Profile found.', { profile: presentProfile(found.profile, found.relation) })
  })
}

function versionsRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: ProfileParams, querystring: ListQuery, reply: ProfilesReply }
  const schema = described(
    'profiles.versions',
    'List the versions of a profile, newest first',
    PROFILES,
    shapes,
    READ,
    { refusals: ['profile_not_found'] },
  )
  const parse = queryParserOf(ListQuery)
  app.get('/profiles/:id/versions', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const [below, limit] = [versionBefore(query.after), limitOf(query)]
    const found = await versionsOf(deps, callerOf(request), profileId(request), { below, limit })
    if (isRefusal(found)) return sendRefusal(reply, found)
    const { rows, next } = pageOf(found.versions, limit, ({ version }) => String(version))
    const profiles = rows.map((profile) => presentProfile(profile, found.relation))
    return succeed(reply, 200, 'Versions of the profile found.', { profiles, next })
  })
}

function updateRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: ProfileParams, body: ProfilePatchBody, reply: ChangedProfileReply }
  const schema = described('profiles.update', 'Update a profile', PROFILES, shapes, WRITE, VERSIONED, {
    refusals: ['profile_not_found', 'profile_archived'],
  })
  app.patch('/profiles/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const sent = readProfilePatch(request.body ?? {})
    if (isRefusal(sent)) return sendRefusal(reply, sent)
    const changed = await updateProfile(deps, changerOf(request), askedIn(request), factsPatch(sent.read))
    return sendWritten(reply, changed, 'Profile updated.')
  })
}

function archiveRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: ProfileParams, reply: ProfileReply }
  const schema = described(
    'profiles.archive',
    'Archive a profile: drafts cannot use it any more',
    PROFILES,
    shapes,
    WRITE,
    VERSIONED,
    { refusals: ['profile_not_found', 'profile_is_own'] },
  )
  app.delete('/profiles/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const changed = await archiveProfile(deps, changerOf(request), askedIn(request))
    return sendProfile(reply, changed, 'contact', 'Profile archived. Contracts that used it stay as they are.')
  })
}

function restoreRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: ProfileParams, reply: ProfileReply }
  const schema = described('profiles.restore', 'Restore an archived profile', PROFILES, shapes, WRITE, VERSIONED, {
    refusals: ['profile_not_found'],
  })
  app.put('/profiles/:id/restore', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const changed = await restoreProfile(deps, changerOf(request), askedIn(request))
    const isOwn = !isRefusal(changed) && changed.id === callerOf(request).profileId
    return sendProfile(reply, changed, isOwn ? 'own' : 'contact', 'Profile restored.')
  })
}

type RequestWithProfile = FastifyRequest & { readonly params: { readonly id: string } }

/** The profile that the path names; `me` is the account's own. */
function profileId(request: RequestWithProfile): string {
  const { id } = request.params
  return id === 'me' ? callerOf(request).profileId : id
}

/** The same with the version that it must stand at. Throws what is wrong with either. */
export function askedIn(request: RequestWithProfile): ProfileAsked {
  const id = profileId(request)
  if (!isUuid(id)) throw new RefusedRequest(profileNotFound())
  const versions = expectedVersions(request)
  if (isRefusal(versions)) throw new RefusedRequest(versions)
  return { id, versions }
}

function sendWritten(
  reply: ReplyOf<typeof ChangedProfileReply>,
  written: WrittenProfile | Refusal,
  message: string,
): FastifyReply {
  if (isRefusal(written)) return sendRefusal(reply, written)
  const { profile, duplicates } = written
  reply.header('ETag', versionTag(profile.version))
  const relation = profile.id === callerOf(reply.request).profileId ? 'own' : 'contact'
  const shown = { profile: presentProfile(profile, relation), duplicates: presentDuplicates(duplicates) }
  return succeed(reply, 200, message, shown)
}

function sendProfile(
  reply: ReplyOf<typeof ProfileReply>,
  profile: Profile | Refusal,
  relation: Relation,
  message: string,
): FastifyReply {
  if (isRefusal(profile)) return sendRefusal(reply, profile)
  reply.header('ETag', versionTag(profile.version))
  return succeed(reply, 200, message, { profile: presentProfile(profile, relation) })
}
