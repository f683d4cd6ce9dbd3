// Bulk payouts: work on many transfers at once, which the API calls commands.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const payouts: Area = {
  path: 'payouts',
  title: TITLE,
  icon: 'columns',
  group: 'money',
  scopes: ['commands:read'],
  key: 'u',
  routes: [
    { index: true, ...screen(() => import('./Payouts.tsx'), 'Payouts') },
    { path: 'new', ...screen(() => import('./new/NewPayout.tsx'), 'NewPayout') },
    { path: 'export', ...screen(() => import('./NewExport.tsx'), 'NewExport') },
    { path: ':id', ...screen(() => import('./PayoutPage.tsx'), 'PayoutPage') },
  ],
}
