// The books of the installation, for those who run the gateway.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const ledger: Area = {
  path: 'ledger',
  title: TITLE,
  icon: 'book',
  group: 'work',
  scopes: ['operations:read'],
  key: 'b',
  routes: [
    { index: true, ...screen(() => import('./Balance.tsx'), 'Balance') },
    { path: 'entries', ...screen(() => import('./Entries.tsx'), 'Entries') },
    { path: 'proofs', ...screen(() => import('./Proofs.tsx'), 'Proofs') },
  ],
}
