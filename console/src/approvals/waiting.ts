// How much waits for the word of whoever is signed in: the count that stands in the menu on every screen.
import type { OverviewAttention } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { useCan, useSignedIn } from '../session/session.ts'
import { todayIn } from '../home/figures.ts'

const REFRESH_MS = 60_000

/** As text, such as 3 or 99+; empty where nothing waits, and for who may not decide. */
export function useWaiting(kind: Extract<OverviewAttention['kind'], 'approvals_waiting' | 'reviews_waiting'>): string {
  const can = useCan()
  const { account } = useSignedIn()
  const today = todayIn(account?.time_zone ?? 'UTC')
  const read = useRead(
    ['overview', 'waiting', today],
    (signal) => gateway.overview.get({ from: today, to: today }, { signal }),
    { enabled: can('approvals:write') && can('contracts:read'), refetchInterval: REFRESH_MS },
  )
  const found = read.data?.attention.find((each) => each.kind === kind)
  return found ? `${found.count}${found.more ? '+' : ''}` : ''
}
