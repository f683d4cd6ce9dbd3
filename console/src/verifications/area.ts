// Whether recipients are who they are said to be: what waits for a person's word, what was asked, and by which verifiers.
import { type Area, screen } from '../shell/area.ts'
import { useWaiting } from '../approvals/waiting.ts'
import { TITLE } from './title.ts'

export const verifications: Area = {
  path: 'verifications',
  title: TITLE,
  icon: 'shield',
  group: 'money',
  scopes: ['verifiers:read'],
  key: 'v',
  useCount: () => useWaiting('reviews_waiting'),
  routes: [
    { index: true, ...screen(() => import('./Verifications.tsx'), 'Verifications') },
    { path: 'verifiers', ...screen(() => import('./Verifiers.tsx'), 'Verifiers') },
    { path: 'verifiers/:id', ...screen(() => import('./Verifier.tsx'), 'OneVerifier') },
    { path: ':id', ...screen(() => import('./Verification.tsx'), 'OneVerification') },
  ],
}
