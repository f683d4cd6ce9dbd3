// Money that goes out.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const transfers: Area = {
  path: 'transfers',
  title: TITLE,
  icon: 'out',
  group: 'money',
  scopes: ['contracts:read'],
  key: 't',
  routes: [
    { index: true, ...screen(() => import('./Transfers.tsx'), 'Transfers') },
    { path: 'new', ...screen(() => import('./Draft.tsx'), 'NewDraft') },
    { path: ':id', ...screen(() => import('./Transfer.tsx'), 'Transfer') },
    { path: ':id/edit', ...screen(() => import('./Draft.tsx'), 'EditDraft') },
  ],
}
