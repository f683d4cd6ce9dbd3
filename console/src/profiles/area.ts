// Whom the account deals with: profiles, and the ways to pay them.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const profiles: Area = {
  path: 'profiles',
  title: TITLE,
  icon: 'people',
  group: 'money',
  scopes: ['profiles:read'],
  key: 'c',
  routes: [
    { index: true, ...screen(() => import('./Profiles.tsx'), 'Profiles') },
    { path: 'new', ...screen(() => import('./NewProfile.tsx'), 'NewProfile') },
    { path: ':id', ...screen(() => import('./ProfilePage.tsx'), 'ProfilePage') },
    { path: ':id/edit', ...screen(() => import('./EditProfile.tsx'), 'EditProfile') },
  ],
}
