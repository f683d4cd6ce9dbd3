// What members are asked to approve.
import { type Area, screen } from '../shell/area.ts'
import { useWaiting } from './waiting.ts'
import { TITLE } from './title.ts'

export const approvals: Area = {
  path: 'approvals',
  title: TITLE,
  icon: 'check',
  group: 'money',
  scopes: ['contracts:read'],
  key: 'a',
  useCount: () => useWaiting('approvals_waiting'),
  routes: [{ index: true, ...screen(() => import('./Approvals.tsx'), 'Approvals') }],
}
