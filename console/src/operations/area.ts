// What waits for those who run the gateway: transfers, resolutions, events, channels, statements.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const work: Area = {
  path: 'operations',
  title: TITLE,
  icon: 'work',
  group: 'work',
  scopes: ['operations:read'],
  key: 'o',
  routes: [
    { index: true, ...screen(() => import('./Transfers.tsx'), 'Transfers') },
    { path: 'events', ...screen(() => import('./Events.tsx'), 'Events') },
    { path: 'channels', ...screen(() => import('./Channels.tsx'), 'Channels') },
    { path: 'statements', ...screen(() => import('./Statements.tsx'), 'Statements') },
    { path: 'statements/:id', ...screen(() => import('./Statement.tsx'), 'Statement') },
  ],
}
