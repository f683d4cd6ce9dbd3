// Profiles with their destinations, and members as those see them who manage an account.
import { idIn, NOBODY, type Stage } from '../stage.ts'

export async function people({ played: { ask } }: Stage): Promise<void> {
  const profile = { name: 'Maria Santos', email: 'maria.santos@example.com', mobile: '+639171234567', country: 'PH' }
  const made = idIn(await ask('profiles.create', { body: profile }), 'profile')
  await ask('profiles.create', { body: { ...profile, email: 'maria' } })
  await ask('profiles.update', { params: made, body: { name: 'Maria Santos-Cruz' } })
  const place = { channel: 'sandbox', recipient: { wallet: '000123456789' } }
  const saved = idIn(await ask('destinations.create', { params: made, body: place }), 'destination')
  await ask('destinations.create', { params: made, body: { ...place, channel: 'pigeon' } })
  const destination = { id: made.id, destination: saved.id }
  await ask('destinations.update', { params: destination, body: { recipient: { wallet: '000987654321' } } })
  await ask('destinations.update', { params: { ...destination, destination: NOBODY.id }, body: {} })
  await ask('profiles.get', { params: made })
  await ask('profiles.get', { params: NOBODY })
  await ask('profiles.list', { query: { email: 'maria.santos@example.com' } })
  await ask('profiles.list', { query: { limit: '1000' } })
  await ask('profiles.versions', { params: made })
  await ask('profiles.versions', { params: NOBODY })
  await ask('destinations.archive', { params: destination })
  await ask('destinations.archive', { params: { ...destination, destination: NOBODY.id } })
  await ask('profiles.archive', { params: made })
  await ask('profiles.archive', { params: NOBODY })
  await ask('profiles.update', { params: made, body: { name: 'Maria' } })
  await ask('profiles.restore', { params: made })
  await ask('profiles.restore', { params: NOBODY })
  const invited = idIn(await ask('members.invite', { body: { email: 'ben@example.com', role: 'viewer' } }), 'member')
  await ask('members.invite', { body: { email: 'ben@example.com', role: 'king' } })
  await ask('members.get', { params: invited })
  await ask('members.get', { params: NOBODY })
  await ask('members.list', { query: { removed: 'true' } })
  await ask('members.list', { query: { removed: 'perhaps' } })
  await ask('members.update', { params: invited, body: { name: 'Ben Reyes' } })
  await ask('members.update', { params: invited, body: { role: 'king' } })
  await ask('members.remove', { params: invited })
  await ask('members.remove', { params: NOBODY })
}
