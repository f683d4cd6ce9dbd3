// The frame of the account's screens, and how they read and change it.
import { useEffect, useState, type ReactNode } from 'react'
import { NavLink } from 'react-router'
import type { Account, AccountPatch } from '../../../sdk/src/index.ts'
import { gateway, queries, useRead, useWrite } from '../gateway.ts'
import { Badge } from '../ui/atoms.tsx'
import { Page } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { TITLE } from './title.ts'
import { ACCOUNT } from './words.ts'
import './account.css'

const OWN = ['accounts', 'me'] as const

export const useAccount = () =>
  useRead<Account>(OWN, (signal) => gateway.accounts.me({ signal }), { staleTime: 30_000 })

/** The session holds the account, too: its name stands over every screen. */
export const useAccountUpdate = () =>
  useWrite(
    async (patch: AccountPatch) => {
      // What was saved is shown also where it cannot be read again.
      queries.setQueryData<Account>(OWN, await gateway.accounts.update(patch))
    },
    ['accounts', 'session', 'audit'],
  )

export function AccountPage({ children }: { readonly children: ReactNode }) {
  const { title } = useWords(TITLE)
  const w = useWords(ACCOUNT)
  const parts = [
    ['/account', w.settings] as const,
    ['/account/brand', w.brand] as const,
    ['/account/usage', w.usage] as const,
  ]
  return (
    <Page title={title}>
      <nav className="parts" aria-label={title}>
        {parts.map(([to, name]) => (
          <NavLink key={to} to={to} end>
            {name}
          </NavLink>
        ))}
      </nav>
      {children}
    </Page>
  )
}

const SAVED_MS = 6000

/** Said for a while after each time. */
export function Saved({ isShown }: { readonly isShown: boolean }) {
  const w = useWords(ACCOUNT)
  const [isFresh, setFresh] = useState(false)
  useEffect(() => {
    setFresh(isShown)
    const timer = setTimeout(() => setFresh(false), SAVED_MS)
    return () => clearTimeout(timer)
  }, [isShown])
  return <span role="status">{isFresh && <Badge tone="good">{w.saved}</Badge>}</span>
}
