// The routes of a profile's saved ways to be paid: add, change, archive.
import { VERSIONED } from '../openapi/facts.ts'
import type { FastifyReply } from 'fastify'
import {
  addDestination,
  removeDestination,
  updateDestination,
  type WrittenDestination,
} from '../../app/profiles/destinations.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import {
  DestinationBody,
  DestinationParams,
  DestinationPatchBody,
  DestinationReply,
  presentDestination,
  presentDuplicates,
  presentProfile,
  ProfileParams,
} from '../../wire/profiles/profile.ts'
import { callerOf, changerOf, type Context, described, guard } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { type ReplyOf, succeed } from '../replies.ts'
import { versionTag } from '../request/versions.ts'
import { askedIn, PROFILES, WRITE } from './profiles.ts'
import { readDestinationPatch, termsIn, termsPatch } from './reading.ts'

const ONE = '/profiles/:id/destinations/:destination'

export function destinationRoutes(context: Context): void {
  addRoute(context)
  updateRoute(context)
  removeRoute(context)
}

function addRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: ProfileParams, body: DestinationBody, reply: DestinationReply }
  const schema = described('destinations.create', 'Save a way to pay a profile', PROFILES, shapes, WRITE, VERSIONED, {
    refusals: ['profile_not_found', 'profile_archived', 'destinations_full', 'channel_not_in_mode'],
  })
  app.post('/profiles/:id/destinations', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const asked = askedIn(request)
    const terms = termsIn(request.body ?? {})
    if (isRefusal(terms)) return sendRefusal(reply, terms)
    return sendDestination(reply, await addDestination(deps, changerOf(request), asked, terms), 'Destination saved.')
  })
}

function updateRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: DestinationParams, body: DestinationPatchBody, reply: DestinationReply }
  const schema = described(
    'destinations.update',
    'Change a saved way to pay a profile',
    PROFILES,
    shapes,
    WRITE,
    VERSIONED,
    { refusals: ['profile_not_found', 'destination_not_found', 'profile_archived', 'channel_not_in_mode'] },
  )
  app.patch(ONE, { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const asked = { ...askedIn(request), destinationId: request.params.destination }
    const sent = readDestinationPatch(request.body ?? {})
    if (isRefusal(sent)) return sendRefusal(reply, sent)
    const changed = await updateDestination(deps, changerOf(request), asked, termsPatch(sent.read))
    return sendDestination(reply, changed, 'Destination updated.')
  })
}

function removeRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: DestinationParams, reply: DestinationReply }
  const schema = described(
    'destinations.archive',
    'Archive a saved way to pay a profile',
    PROFILES,
    shapes,
    WRITE,
    VERSIONED,
    { refusals: ['profile_not_found', 'destination_not_found', 'profile_archived'] },
  )
  app.delete(ONE, { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const asked = { ...askedIn(request), destinationId: request.params.destination }
    const removed = await removeDestination(deps, changerOf(request), asked)
    return sendDestination(reply, removed, 'Destination archived. Contracts that used it stay as they are.')
  })
}

function sendDestination(
  reply: ReplyOf<typeof DestinationReply>,
  written: WrittenDestination | Refusal,
  message: string,
): FastifyReply {
  if (isRefusal(written)) return sendRefusal(reply, written)
  const { profile, destination, duplicates } = written
  reply.header('ETag', versionTag(profile.version))
  const relation = profile.id === callerOf(reply.request).profileId ? 'own' : 'contact'
  return succeed(reply, 200, message, {
    profile: presentProfile(profile, relation),
    destination: presentDestination(destination),
    duplicates: presentDuplicates(duplicates),
  })
}
