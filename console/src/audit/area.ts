// Who did what to the account.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const audit: Area = {
  path: 'audit',
  title: TITLE,
  icon: 'book',
  group: 'account',
  scopes: ['audit:read'],
  routes: [{ index: true, ...screen(() => import('./Audit.tsx'), 'Audit') }],
}
