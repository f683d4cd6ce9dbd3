// Who signs in for the account.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const members: Area = {
  path: 'members',
  title: TITLE,
  icon: 'user',
  group: 'account',
  scopes: ['accounts:read'],
  key: 'm',
  routes: [{ index: true, ...screen(() => import('./Members.tsx'), 'Members') }],
}
