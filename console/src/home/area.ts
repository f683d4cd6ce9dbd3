// Home: what waits for a person, and what the account's money did.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const home: Area = {
  path: '',
  title: TITLE,
  icon: 'home',
  group: 'money',
  scopes: ['contracts:read'],
  key: 'h',
  routes: [{ index: true, ...screen(() => import('./Home.tsx'), 'Home') }],
}
