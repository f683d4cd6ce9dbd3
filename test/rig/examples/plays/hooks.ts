// Webhook endpoints.
import { idIn, NOBODY, type Stage } from '../stage.ts'

export async function hooks({ played: { ask } }: Stage): Promise<void> {
  const body = { url: 'http://127.0.0.1:4000/hooks', events: ['contract.completed'] }
  const made = idIn(await ask('webhook_endpoints.create', { body }), 'webhook_endpoint')
  await ask('webhook_endpoints.create', { body: { url: 'ftp://example.com' } })
  await ask('webhook_endpoints.list')
  await ask('webhook_endpoints.list', { as: {} })
  await ask('webhook_endpoints.get', { params: made })
  await ask('webhook_endpoints.get', { params: NOBODY })
  await ask('webhook_endpoints.update', { params: made, body: { description: 'The shop' } })
  await ask('webhook_endpoints.update', { params: made, body: { events: ['contract.payed'] } })
  await ask('webhook_endpoints.roll_secret', { params: made, body: {} })
  await ask('webhook_endpoints.roll_secret', { params: NOBODY, body: {} })
  await ask('webhook_endpoints.pause', { params: made })
  await ask('webhook_endpoints.pause', { params: NOBODY })
  await ask('webhook_endpoints.resume', { params: made })
  await ask('webhook_endpoints.resume', { params: NOBODY })
  await ask('webhook_endpoints.delete', { params: made })
  await ask('webhook_endpoints.delete', { params: NOBODY })
}
