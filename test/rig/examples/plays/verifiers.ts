// Lists of an account's own, verifications, and the word of a person: an approver of the same account.
import { joined } from '../../../http/members/people.ts'
import { idIn, NOBODY, seen, type Stage } from '../stage.ts'

type Event = { readonly type: string; readonly data: { readonly object: { readonly id: string } } }
type Shown = { readonly status: string }

export async function verifiers({ world, played }: Stage): Promise<void> {
  const { ask } = played
  const made = idIn(await ask('verifiers.create', { body: { kind: 'list', name: 'Not to be paid' } }), 'verifier')
  await ask('verifiers.create', { body: { kind: 'list', name: 'Another', hit_from: 10 } })
  await ask('verifiers.update', { params: made, body: { hit_from: 90 } })
  await ask('verifiers.update', { params: NOBODY, body: { hit_from: 90 } })
  // One after the other: entries are listed in the order of their ids, which says nothing within one request.
  const listed = async (entry: object) =>
    (await ask('verifier_entries.create', { params: made, body: { entries: [entry] } })).data['entries']
  await listed({ name: 'Viktor Bout', note: 'Reported by our bank' })
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
  const recipient = { name: 'Victor Bout', wallet: '000123456789' }
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
  const other = await asked({ kind: 'list', recipient: { ...recipient, name: 'Viktor Bout' } })
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
  await ask('verifiers.archive', { params: made })
  await ask('verifiers.archive', { params: NOBODY })
}
