// One's own page: who one is here, second factors, sessions.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const you: Area = {
  path: 'you',
  title: TITLE,
  icon: 'shield',
  group: 'account',
  routes: [{ index: true, ...screen(() => import('./You.tsx'), 'You') }],
}
