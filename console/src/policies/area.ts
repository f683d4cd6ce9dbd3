// What may leave the account: policies, each in its sentence.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const policies: Area = {
  path: 'policies',
  title: TITLE,
  icon: 'shield',
  group: 'money',
  scopes: ['policies:read'],
  key: 'l',
  routes: [
    { index: true, ...screen(() => import('./Policies.tsx'), 'Policies') },
    { path: 'new', ...screen(() => import('./form/Editing.tsx'), 'NewPolicy') },
    { path: 'try', ...screen(() => import('./trial/Trying.tsx'), 'Trying') },
    { path: ':id', ...screen(() => import('./PolicyPage.tsx'), 'PolicyPage') },
    { path: ':id/edit', ...screen(() => import('./form/Editing.tsx'), 'EditPolicy') },
  ],
}
