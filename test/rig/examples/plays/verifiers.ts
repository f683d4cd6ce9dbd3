// Lists of an account's own, verifications, and the word of a person: an approver of the same account.
import { openService } from '../../../http/verifiers/called-stage.ts'
import { joined } from '../../../http/members/people.ts'
import { idIn, NOBODY, seen, type Stage } from '../stage.ts'

type Event = { readonly type: string; readonly data: { readonly object: { readonly id: string } } }
type Shown = { readonly status: string }

export async function verifiers(stage: Stage): Promise<void> {
  const { world, played } = stage
  const { ask } = played
  const made = idIn(await ask('verifiers.create', { body: { kind: 'list', name: 'Not to be paid' } }), 'verifier')
  await ask('verifiers.create', { body: { kind: 'list', name: 'Another', hit_from: 10 } })
  await ask('verifiers.update', { params: made, body: { hit_from: 90 } })
  await ask('verifiers.update', { params: NOBODY, body: { hit_from: 90 } })
  // One after the other: entries are listed in the order of their ids, which says nothing within one request.
  const listed = async (entry: object) =>
    (await ask('verifier_entries.create', { params: made, body: { entries: [entry] } })).data['entries']
  await listed({ name: 'Felix Moravec', note: 'Reported by our bank' })
  const [second] = (await listed({ wallet: '000999888777' })) as readonly { readonly id: string }[]
  await ask('verifier_entries.create', { params: made, body: { entries: [{ note: 'nobody' }] } })
  await ask('verifier_entries.list', { params: made })
  await ask('verifier_entries.list', { params: NOBODY })
  await ask('verifier_entries.remove', { params: { ...made, entry: second?.id ?? '' } })
  await ask('verifier_entries.remove', { params: { ...made, entry: NOBODY.id } })
  await ask('verifiers.list')
  await ask('verifiers.get', { params: made })
  await ask('verifiers.get', { params: NOBODY })
  const ended = (id: string) =>
    seen('the result of a verification', async () => {
      const { data } = await world.caller.ask('GET', `/verifications/${id}`)
      return (data['verification'] as Shown).status === 'pending' ? null : id
    })
  const asked = async (body: object) => {
    const { id } = idIn(await ask('verifications.create', { body }), 'verification')
    return { id: await ended(id) }
  }
  const recipient = { name: 'Felix Moravek', wallet: '000123456789' }
  const first = await asked({ kind: 'list', recipient })
  await ask('verifications.create', { body: { kind: 'list' } })
  const told = await world.caller.all<Event>('/events', 'events')
  const event = told.find(({ data }) => data.object.id === first.id)
  if (!event) throw new Error('the result of a verification is not told')
  played.event(event)
  await ask('verifications.get', { params: first })
  await ask('verifications.get', { params: NOBODY })
  await ask('verifications.list', { query: { status: 'review' } })
  await ask('verifications.list', { query: { status: 'open' } })
  const person = await joined(world, world.caller, 'approver', 'approver@example.com')
  const as = { cookie: person.cookie, origin: 'http://gateway.test' }
  const body = { reason: 'Another man of that name: born in 1999, seen in person.' }
  await ask('verifications.pass', { params: first, body, as })
  await ask('verifications.pass', { params: first, body, as })
  const other = await asked({ kind: 'list', recipient: { ...recipient, name: 'Felix Moravec' } })
  await ask('verifications.fail', { params: other, body: { reason: 'It is the man of the list.' }, as })
  await ask('verifications.fail', { params: other, body, as })
  const silent = await asked({
    kind: 'name',
    channel: 'sandbox',
    recipient: { name: 'Ana Cruz', wallet: '000123456780' },
  })
  await ask('verifications.retry', { params: silent })
  await world.sql(`update verifications set status = 'unavailable', ended_at = now() where id = $1`, [silent.id])
  await ask('verifications.retry', { params: silent })
  await coded(stage)
  await ask('verifiers.archive', { params: made })
  await ask('verifiers.archive', { params: NOBODY })
}

/** A hook that sends codes, and one that is given back. */
async function coded({ world, played }: Stage): Promise<void> {
  const { ask } = played
  const service = await openService()
  try {
    const body = { kind: 'otp', name: 'Codes by SMS', url: `${service.url}/send`, to: 'recipient' }
    const hook = idIn(await ask('verifiers.create', { body }), 'verifier')
    const recipient = { name: 'Ana Cruz', mobile: '+639171234567' }
    const sent = idIn(await ask('verifications.create', { body: { verifier: hook.id, recipient } }), 'verification')
    const code = await seen('a code', async () => service.asked.find(({ id }) => id === sent.id)?.code)
    await seen('the code is waited for', async () => {
      const { data } = await world.caller.ask('GET', `/verifications/${sent.id}`)
      return (data['verification'] as { reason: string | null }).reason
    })
    const wrong = code === '000000' ? '111111' : '000000'
    played.hide(code, '123456')
    played.hide(wrong, '000000')
    await ask('verifications.answer', { params: sent, body: { code: wrong } })
    await ask('verifications.answer', { params: sent, body: { code } })
    service.answer = () => ({ status: 204, body: '' })
    await ask('verifiers.try', { params: hook, body: {} })
    await ask('verifiers.try', { params: NOBODY, body: {} })
    await ask('verifiers.roll_secret', { params: hook, body: { overlap_seconds: 3600 } })
    await ask('verifiers.roll_secret', { params: NOBODY, body: {} })
  } finally {
    await service.stop()
  }
}
