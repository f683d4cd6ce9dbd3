// The check of a file: sent as it streams, then worked on by the gateway; what it has found, and what was mended since.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Command, CommandRow, CommandSum } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { useCommand } from '../PayoutPage.tsx'
import { type Fault, type Mends, type Plan, type Sent, sendFile } from './upload.ts'

/** Failed rows that are shown, mended and left out here; with more the file itself is to be mended. */
const FAILED_MAX = 500

type Sending = {
  readonly is: 'idle' | 'sending' | 'sent'
  readonly rows: number
  readonly share: number
  readonly sent: Sent | null
  /** What was mended when it was sent. */
  readonly mends: Mends
  readonly error: unknown
}

const NONE: Mends = new Map()
const IDLE: Sending = { is: 'idle', rows: 0, share: 0, sent: null, mends: NONE, error: null }

export type Checking = Sending & {
  /** The check as it stands; null before there is one. */
  readonly command: Command | null
  readonly sums: readonly CommandSum[]
  readonly isDone: boolean
  readonly faults: readonly Fault[]
  /** How many there are, shown or not. */
  readonly faultsTotal: number
  readonly send: (file: Blob, plan: Omit<Plan, 'isCheck'>) => Promise<void>
  readonly stop: () => void
  readonly forget: () => void
}

export function useChecking(): Checking {
  const [sending, setSending] = useState<Sending>(IDLE)
  const stopping = useRef<AbortController | null>(null)
  const id = sending.sent?.command.id ?? ''
  const read = useCommand(id)
  const command = (id === '' ? null : read.data?.command) ?? null
  const isDone = typeof command?.ended_at === 'string'
  const failed = useRead(
    ['commands', 'failed', id],
    (signal) => gateway.commands.rows(id, { status: 'failed', limit: 100 }, { signal }).all(FAILED_MAX),
    { enabled: isDone && command.progress.failed > 0 },
  )
  useEffect(() => () => stopping.current?.abort(), [])
  const send = useCallback(async (file: Blob, plan: Omit<Plan, 'isCheck'>) => {
    stopping.current?.abort()
    const stop = new AbortController()
    stopping.current = stop
    const set = (part: Partial<Sending>) => !stop.signal.aborted && setSending((before) => ({ ...before, ...part }))
    setSending({ ...IDLE, is: 'sending', mends: plan.mends })
    try {
      const onProgress = (bytes: number, rows: number) => set({ share: (100 * bytes) / Math.max(1, file.size), rows })
      const sent = await sendFile(file, { ...plan, isCheck: true }, { signal: stop.signal, onProgress })
      // Of rows that cannot be read none is left to check.
      if (sent.rows > 0) await gateway.commands.start(sent.command.id)
      else await gateway.commands.cancel(sent.command.id)
      set({ is: 'sent', sent })
    } catch (error) {
      set({ is: 'idle', error })
    }
  }, [])
  const stop = () => {
    stopping.current?.abort()
    setSending(IDLE)
  }
  const unread = sending.sent?.faults ?? []
  return {
    ...sending,
    command,
    sums: read.data?.sums ?? [],
    isDone: isDone && (command.progress.failed === 0 || failed.data !== undefined),
    faults: [...unread, ...(failed.data ?? []).map(faultOf)].toSorted((a, b) => a.line - b.line),
    faultsTotal: unread.length + (command?.progress.failed ?? 0),
    send,
    stop,
    forget: stop,
  }
}

const faultOf = ({ line, index, error, sent }: CommandRow): Fault => ({
  line: line ?? index + 2,
  column: error?.param ?? null,
  message: error?.message ?? '',
  cells: cellsIn(sent, ''),
})

/** What was sent, under the names that its columns have. */
function cellsIn(sent: object, before: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) =>
      value !== null && typeof value === 'object'
        ? Object.entries(cellsIn(value, `${before}${name}.`))
        : [[`${before}${name}`, String(value)] as const],
    ),
  )
}
