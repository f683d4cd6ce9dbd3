// Wallets: the account's money by currency, what moved it, and its statements.
import { type Area, screen } from '../shell/area.ts'
import { TITLE } from './title.ts'

export const wallets: Area = {
  path: 'wallets',
  title: TITLE,
  icon: 'wallet',
  group: 'money',
  scopes: ['wallets:read'],
  key: 'w',
  routes: [
    { index: true, ...screen(() => import('./Wallets.tsx'), 'Wallets') },
    { path: 'contracts/:id', ...screen(() => import('./OpenContract.tsx'), 'OpenContract') },
    { path: ':id', ...screen(() => import('./WalletPage.tsx'), 'WalletPage') },
    { path: ':id/statement', ...screen(() => import('./StatementPage.tsx'), 'StatementPage') },
  ],
}
