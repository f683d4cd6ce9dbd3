// Wallets, the account itself, its keys and tokens.
import { idIn, NOBODY, type Stage } from '../stage.ts'
import { SALARY } from './transfers.ts'

export async function money({ played: { ask } }: Stage): Promise<void> {
  await ask('wallets.list', { query: { currency: 'PHP' } })
  await ask('wallets.list', { query: { currency: 'pesos' } })
  const made = idIn(await ask('wallets.create', { body: { currency: 'PHP', label: 'Salaries' } }), 'wallet')
  await ask('wallets.create', { body: { currency: 'pesos' } })
  await ask('wallets.top_up', { params: made, body: { amount: 5000, reference: 'opening' } })
  await ask('wallets.top_up', { params: made, body: { amount: 0, reference: 'nothing' } })
  await ask('wallets.update', { params: made, body: { low_balance: 1000 } })
  await ask('wallets.update', { params: made, body: { status: 'closed' } })
  await ask('wallets.get', { params: made })
  await ask('wallets.get', { params: NOBODY })
  await ask('wallets.entries', { params: made, query: { limit: '5' } })
  await ask('wallets.entries', { params: NOBODY })
  await ask('wallets.statement', { params: made, query: { from: '2026-10-01', to: '2026-10-31' } })
  await ask('wallets.statement', { params: made, query: { from: '2026-10-31', to: '2026-10-01' } })
}

export async function account({ played: { ask } }: Stage): Promise<void> {
  await ask('accounts.me')
  await ask('accounts.me', { as: { 'x-api-key': 'gck_test_wrong' } })
  await ask('accounts.update', { body: { name: 'Kape Manila', time_zone: 'Asia/Manila' } })
  await ask('accounts.update', { body: { time_zone: 'Manila' } })
  const body = { name: 'Reports', scopes: ['contracts:read', 'events:read'] }
  const made = await ask('keys.create', { body })
  const key = idIn(made, 'key')
  const weak = { 'x-api-key': String(made.data['api_key']) }
  await ask('keys.create', { body, as: weak })
  await ask('transfers.create', { body: SALARY, as: weak })
  await ask('keys.get', { params: key })
  await ask('keys.current', { as: weak })
  await ask('keys.get', { params: { id: 'aaaaaaaaaa' } })
  await ask('keys.update', { params: key, body: { name: 'Monthly reports' } })
  await ask('keys.update', { params: { id: 'aaaaaaaaaa' }, body: {} })
  await ask('keys.roll', { params: { id: 'aaaaaaaaaa' }, body: {} })
  const rolled = idIn(await ask('keys.roll', { params: key, body: {} }), 'key')
  await ask('keys.revoke', { params: rolled })
  await ask('keys.revoke', { params: { id: 'aaaaaaaaaa' } })
  await ask('tokens.create', { body: { grant_type: 'client_credentials' } })
  await ask('tokens.create', { body: { grant_type: 'password' } })
  await ask('usage.get', { query: { from: '2026-10-05', to: '2026-10-05' } })
  await ask('usage.get', { query: { from: 'yesterday' } })
}
