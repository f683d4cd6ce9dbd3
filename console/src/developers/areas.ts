// What developers see: keys, webhook endpoints, events, requests, and the sandbox. Each is an area of the menu.
import type { Area } from '../shell/area.ts'
import { screen } from '../shell/area.ts'
import { TITLES } from './titles.ts'

const developers = (path: string) => `developers/${path}`

const keys: Area = {
  path: developers('keys'),
  title: TITLES.keys,
  icon: 'key',
  group: 'build',
  scopes: ['accounts:read'],
  key: 'k',
  routes: [
    { index: true, ...screen(() => import('./keys/Keys.tsx'), 'Keys') },
    { path: ':id', ...screen(() => import('./keys/Key.tsx'), 'OneKey') },
  ],
}

const webhooks: Area = {
  path: developers('webhooks'),
  title: TITLES.webhooks,
  icon: 'hook',
  group: 'build',
  scopes: ['webhooks:manage'],
  key: 'n',
  routes: [
    { index: true, ...screen(() => import('./webhooks/Endpoints.tsx'), 'Endpoints') },
    { path: ':id', ...screen(() => import('./webhooks/Endpoint.tsx'), 'Endpoint') },
    { path: ':id/deliveries/:delivery', ...screen(() => import('./webhooks/Delivery.tsx'), 'OneDelivery') },
  ],
}

const events: Area = {
  path: developers('events'),
  title: TITLES.events,
  icon: 'list',
  group: 'build',
  scopes: ['events:read'],
  key: 'e',
  routes: [{ index: true, ...screen(() => import('./events/Events.tsx'), 'Events') }],
}

const requests: Area = {
  path: developers('requests'),
  title: TITLES.requests,
  icon: 'code',
  group: 'build',
  scopes: ['audit:read'],
  key: 'r',
  routes: [{ index: true, ...screen(() => import('./requests/Requests.tsx'), 'Requests') }],
}

const sandbox: Area = {
  path: developers('sandbox'),
  title: TITLES.sandbox,
  icon: 'flask',
  group: 'build',
  scopes: ['contracts:write'],
  isTestOnly: true,
  key: 's',
  routes: [{ index: true, ...screen(() => import('./sandbox/Sandbox.tsx'), 'Sandbox') }],
}

export const DEVELOPERS: readonly Area[] = [keys, webhooks, events, requests, sandbox]
