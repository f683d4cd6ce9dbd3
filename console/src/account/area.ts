// The account itself: what it is called, what it wants done, how payers see it, what it used.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const account: Area = {
  path: 'account',
  title: TITLE,
  icon: 'gear',
  group: 'account',
  scopes: ['accounts:read'],
  routes: [
    { index: true, ...screen(() => import('./Account.tsx'), 'Account') },
    { path: 'brand', ...screen(() => import('./Brand.tsx'), 'Brand') },
    { path: 'usage', ...screen(() => import('./Usage.tsx'), 'Usage') },
  ],
}
