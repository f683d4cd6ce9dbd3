// Bulk payouts that a person has to look at: those that rest, and those under way of which rows have failed.
import { gateway, useRead } from '../gateway.ts'
import { useCan } from '../session/session.ts'

/** So many may be without an end at a time. */
const OPEN_MAX = 20

export type Resting = {
  readonly kind: 'command_paused' | 'command_failing'
  readonly count: number
  readonly since: string
  readonly to: string
}

export function useRestingCommands(): Resting[] {
  const enabled = useCan()('commands:read')
  const paused = useRead(
    ['commands', 'home', 'paused'],
    (signal) => gateway.commands.list({ status: 'paused', limit: OPEN_MAX }, { signal }).page(),
    { enabled },
  )
  const running = useRead(
    ['commands', 'home', 'running'],
    (signal) => gateway.commands.list({ status: 'running', limit: OPEN_MAX }, { signal }).page(),
    { enabled },
  )
  const failing = (running.data?.items ?? []).filter(
    ({ progress, dry_run: isCheck }) => progress.failed > 0 && !isCheck,
  )
  return [
    ...restingOf('command_paused', paused.data?.items ?? [], 'paused'),
    ...restingOf('command_failing', failing, 'running'),
  ]
}

function restingOf(
  kind: Resting['kind'],
  found: readonly { readonly id: string; readonly created_at: string }[],
  status: string,
): Resting[] {
  const oldest = found.at(-1)
  if (!oldest) return []
  const to = found.length === 1 ? `/payouts/${oldest.id}` : `/payouts?status=${status}`
  return [{ kind, count: found.length, since: oldest.created_at, to }]
}
