// Money that comes in.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const payments: Area = {
  path: 'payments',
  title: TITLE,
  icon: 'in',
  group: 'money',
  scopes: ['contracts:read'],
  key: 'p',
  routes: [
    { index: true, ...screen(() => import('./Payments.tsx'), 'Payments') },
    { path: 'new', ...screen(() => import('./NewPayment.tsx'), 'NewPayment') },
    { path: ':id', ...screen(() => import('./Payment.tsx'), 'Payment') },
  ],
}
