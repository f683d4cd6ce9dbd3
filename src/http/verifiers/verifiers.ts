// The routes of verifiers: the built-in ones and those of the account, with the entries of its lists.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tryVerifier } from '../../app/verifiers/trials.ts'
import {
  addEntries,
  allVerifiers,
  archiveVerifier,
  type CountedVerifier,
  createVerifier,
  entriesOf,
  type NewEntry,
  oneVerifier,
  removeEntry,
  rollVerifierSecret,
  updateVerifier,
} from '../../app/verifiers/verifiers.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import {
  invalid,
  isRefusal,
  missing,
  type Problem,
  type Refusal,
  refuse,
  refuseAll,
} from '../../domain/contract/refusals.ts'
import { maskCards } from '../../domain/text/cards.ts'
import { mobileNumber } from '../../domain/text/mobile.ts'
import { seenText } from '../../domain/text/texts.ts'
import { ENTRIES_AT_ONCE, HIT_FROM, verifierNotFound } from '../../domain/verifier/verifier.ts'
import { IdParams, ListQuery } from '../../wire/api.ts'
import { presentTrial, TrialBody, TrialReply } from '../../wire/verifiers/trial.ts'
import {
  AddedEntriesReply,
  builtInVerifiers,
  EntriesBody,
  EntriesReply,
  EntryParams,
  presentEntry,
  presentPublished,
  presentVerifier,
  VerifierBody,
  VerifierPatchBody,
  VerifierReply,
  VerifiersReply,
} from '../../wire/verifiers/verifier.ts'
import { OVERLAP_SECONDS_DEFAULT, RollBody } from '../../wire/webhook-endpoint.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, changerOf, type Context, described, guard, parserOf, queryParserOf } from '../context.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { type ReplyOf, succeed } from '../replies.ts'
import { BODY_BYTES_MAX } from '../request/sizes.ts'

export const VERIFIERS = 'Verifiers'
export const READ: Access = { accepts: 'api key', scope: 'verifiers:read' }
const WRITE: Access = { accepts: 'api key', scope: 'verifiers:write' }
/** As many entries as come at a time, with each of their five members, and the list around them. */
const LARGE = { bodyLimit: BODY_BYTES_MAX.entries, config: { membersMax: 1 + 5 * ENTRIES_AT_ONCE } } as const

export function verifierRoutes(context: Context): void {
  listRoute(context)
  createRoute(context)
  getRoute(context)
  updateRoute(context)
  archiveRoute(context)
  rollRoute(context)
  tryRoute(context)
  entriesRoute(context)
  addEntriesRoute(context)
  removeEntryRoute(context)
}

function listRoute(context: Context): void {
  const { app, deps } = context
  const words = 'List verifiers: the built-in ones, your own, and the published lists that are loaded'
  const schema = described('verifiers.list', words, VERIFIERS, { reply: VerifiersReply }, READ)
  app.get('/verifiers', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const caller = callerOf(request)
    const { own, published } = await allVerifiers(deps, caller)
    const shown = own.map(({ verifier, entries }) => presentVerifier(verifier, entries))
    return succeed(reply, 200, 'Verifiers found.', {
      verifiers: [...builtInVerifiers(caller.livemode), ...shown],
      published_lists: published.map((list) => presentPublished(list, deps.nowMs())),
    })
  })
}

function createRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { body: VerifierBody, reply: VerifierReply }
  const schema = described(
    'verifiers.create',
    'Make a verifier: a list, a service of your own, or a hook that sends codes',
    VERIFIERS,
    shapes,
    WRITE,
    {
      refusals: ['verifiers_full', 'person_required'],
    },
  )
  const parse = parserOf(VerifierBody)
  app.post('/verifiers', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { kind, name, hit_from: hitFrom, url, to } = parse(request.body ?? {})
    const { livemode } = personIn(request)
    const isList = kind === 'list'
    const where = seenText(url)
    if (!isList && where === null) return sendRefusal(reply, refuseAll([missing('url', 'Say where it is called.')]))
    if (isList && where !== null) return sendRefusal(reply, refuseAll([invalid('url', 'A list is not called.')]))
    const made = await createVerifier(deps, changerOf(request), {
      livemode,
      kind,
      name: named(name),
      hitFrom: hitFrom ?? HIT_FROM,
      url: where,
      to: kind === 'otp' ? (to ?? 'recipient') : null,
    })
    return sendVerifier(reply, made, 'Verifier created.')
  })
}

/** What decides who is paid in live mode is changed by a person: a key may be in the wrong hands. */
function personIn(request: FastifyRequest) {
  const caller = callerOf(request)
  if (!caller.livemode || caller.memberId !== null) return caller
  const mend = 'by a member who is signed in, at /console or over the API with a session.'
  throw new RefusedRequest(refuse('person_required', null, `Verifiers of a live account are changed ${mend}`))
}

function named(sent: string): string {
  const name = seenText(sent)
  if (name === null) throw new RefusedRequest(refuseAll([missing('name', 'Give it a name.')]))
  return maskCards(name)
}

function getRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: VerifierReply }
  const schema = described('verifiers.get', 'Get a verifier of your own', VERIFIERS, shapes, READ, {
    refusals: ['verifier_not_found'],
  })
  app.get('/verifiers/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    return sendVerifier(reply, await oneVerifier(deps, keyIn(request)), 'Verifier found.')
  })
}

function updateRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, body: VerifierPatchBody, reply: VerifierReply }
  const schema = described('verifiers.update', 'Update a verifier of your own', VERIFIERS, shapes, WRITE, {
    refusals: ['verifier_not_found', 'verifier_archived', 'person_required'],
  })
  const parse = parserOf(VerifierPatchBody)
  app.patch('/verifiers/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { name = null, hit_from: hitFrom = null } = parse(request.body ?? {})
    personIn(request)
    const patch = { ...(name === null ? {} : { name: named(name) }), ...(hitFrom === null ? {} : { hitFrom }) }
    return sendVerifier(
      reply,
      await updateVerifier(deps, changerOf(request), keyIn(request).id, patch),
      'Verifier updated.',
    )
  })
}

function archiveRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: VerifierReply }
  const words = 'Archive a verifier: nothing is verified by it any more'
  const schema = described('verifiers.archive', words, VERIFIERS, shapes, WRITE, {
    refusals: ['verifier_not_found', 'person_required'],
  })
  app.delete('/verifiers/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    personIn(request)
    return sendVerifier(reply, await archiveVerifier(deps, changerOf(request), keyIn(request).id), 'Verifier archived.')
  })
}

function rollRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, body: RollBody, reply: VerifierReply }
  const words = 'Roll the secret that signs the calls to a verifier of your own'
  const schema = described('verifiers.roll_secret', words, VERIFIERS, shapes, WRITE, {
    refusals: ['verifier_not_found', 'verifier_archived', 'person_required'],
  })
  const parse = parserOf(RollBody)
  app.post('/verifiers/:id/roll-secret', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { overlap_seconds: overlapSeconds = OVERLAP_SECONDS_DEFAULT } = parse(request.body ?? {})
    personIn(request)
    const rolled = await rollVerifierSecret(deps, changerOf(request), keyIn(request).id, overlapSeconds)
    return sendVerifier(reply, rolled, 'Secret rolled. Keep the new one: it is shown once.')
  })
}

function tryRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, body: TrialBody, reply: TrialReply }
  const words = 'Send a sample to a verifier that is called, and show how its reply would be read'
  const schema = described('verifiers.try', words, VERIFIERS, shapes, WRITE, {
    description:
      'The sample is about nobody and says so (`sample`: true). It is signed and sent as a real question is; nothing is written, and no contract is changed.',
    refusals: ['verifier_not_found', 'verifier_archived', 'rate_limited', 'person_required'],
  })
  const parse = parserOf(TrialBody)
  app.post('/verifiers/:id/try', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    parse(request.body ?? {})
    personIn(request)
    const trial = await tryVerifier(deps, keyIn(request))
    if (isRefusal(trial)) return sendRefusal(reply, trial)
    return succeed(reply, 200, 'Sample sent.', { verifier_trial: presentTrial(trial) })
  })
}

function entriesRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, querystring: ListQuery, reply: EntriesReply }
  const words = 'List the entries of a list of your own, newest first'
  const schema = described('verifier_entries.list', words, VERIFIERS, shapes, READ, {
    refusals: ['verifier_not_found'],
  })
  const parse = queryParserOf(ListQuery)
  app.get('/verifiers/:id/entries', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const { after = null } = query
    if (after !== null && !isUuid(after)) throw badCursor()
    const limit = limitOf(query)
    const found = await entriesOf(deps, keyIn(request), { after, limit })
    if ('kind' in found) return sendRefusal(reply, found)
    const { rows, next } = pageOf(found, limit, ({ id }) => id)
    return succeed(reply, 200, 'Entries found.', { entries: rows.map(presentEntry), next })
  })
}

function addEntriesRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, body: EntriesBody, reply: AddedEntriesReply }
  const words = 'Add entries to a list of your own: all of them, or none'
  const schema = described('verifier_entries.create', words, VERIFIERS, shapes, WRITE, {
    refusals: ['verifier_not_found', 'verifier_archived', 'list_full', 'person_required'],
  })
  const parse = parserOf(EntriesBody)
  app.post('/verifiers/:id/entries', { ...LARGE, schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const entries = entriesIn(parse(request.body ?? {}))
    if ('kind' in entries) return sendRefusal(reply, entries)
    personIn(request)
    const added = await addEntries(deps, changerOf(request), keyIn(request).id, entries)
    if (isRefusal(added)) return sendRefusal(reply, added)
    const { verifier, entries: total } = added.verifier
    const shown = { verifier: presentVerifier(verifier, total), entries: added.entries.map(presentEntry) }
    return succeed(reply, 200, 'Entries added.', shown)
  })
}

function entriesIn({ entries }: EntriesBody): NewEntry[] | Refusal {
  const problems: Problem[] = []
  const read = entries.map((sent, place): NewEntry => {
    const at = `entries.${place}`
    const number = seenText(sent.mobile)
    const mobile = number === null ? null : mobileNumber(number)
    if (number !== null && mobile === null)
      problems.push(invalid(`${at}.mobile`, `${at}.mobile must be an international number such as +639171234567.`))
    const masked = (text: string | null | undefined) =>
      seenText(text) === null ? null : maskCards(seenText(text) ?? '')
    const [name, wallet, email, note] = [
      masked(sent.name),
      seenText(sent.wallet),
      seenText(sent.email),
      masked(sent.note),
    ]
    if (name === null && wallet === null && number === null && email === null)
      problems.push(missing(`${at}.name`, 'Give a name, a wallet, a mobile or an email.'))
    return { name, wallet, mobile, email, note }
  })
  const [first, ...others] = problems
  return first ? refuseAll([first, ...others]) : read
}

function removeEntryRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: EntryParams, reply: VerifierReply }
  const words = 'Remove an entry from a list of your own'
  const schema = described('verifier_entries.remove', words, VERIFIERS, shapes, WRITE, {
    refusals: ['verifier_not_found', 'verifier_archived', 'list_entry_not_found', 'person_required'],
  })
  app.delete('/verifiers/:id/entries/:entry', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    personIn(request)
    const { entry } = request.params
    return sendVerifier(reply, await removeEntry(deps, changerOf(request), keyIn(request).id, entry), 'Entry removed.')
  })
}

function keyIn(request: FastifyRequest & { readonly params: { readonly id: string } }) {
  const { lane, accountId } = callerOf(request)
  const { id } = request.params
  if (!isUuid(id)) throw new RefusedRequest(verifierNotFound())
  return { lane, accountId, id }
}

function sendVerifier(
  reply: ReplyOf<typeof VerifierReply>,
  found: CountedVerifier | Refusal,
  message: string,
): FastifyReply {
  if (isRefusal(found)) return sendRefusal(reply, found)
  return succeed(reply, 200, message, {
    verifier: presentVerifier(found.verifier, found.entries, found.secret ?? null),
  })
}
