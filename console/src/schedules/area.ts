// Schedules: transfers that are paid again and again.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const schedules: Area = {
  path: 'schedules',
  title: TITLE,
  icon: 'clock',
  group: 'money',
  scopes: ['commands:read'],
  key: 'd',
  routes: [
    { index: true, ...screen(() => import('./Schedules.tsx'), 'Schedules') },
    { path: 'new', ...screen(() => import('./NewSchedule.tsx'), 'NewSchedule') },
    { path: ':id', ...screen(() => import('./SchedulePage.tsx'), 'SchedulePage') },
    { path: ':id/edit', ...screen(() => import('./NewSchedule.tsx'), 'EditSchedule') },
  ],
}
