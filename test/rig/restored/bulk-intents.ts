// Money that somebody means to send by what the gateway does for them: a file of rows, or a schedule that pays at a minute to come.
// After the restore the same file is sent and the same schedule made once more, under the same key.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Reply } from '../caller.ts'
import type { Dice } from '../dice.ts'

type Draft = {
  readonly amount: number
  readonly currency: 'PHP'
  readonly channel: string
  readonly recipient: { readonly name: string; readonly wallet: string; readonly tag: string }
}

type Owned = { readonly number: number; readonly tenant: number; readonly key: string; isDone: boolean }

export type FileIntent = Owned & {
  readonly means: 'file'
  /** Each row is told from all others by its recipient's name. */
  readonly rows: readonly Draft[]
  /** Whether the first row's contract is cancelled once it is known. */
  readonly takesBack: boolean
  /** The command that the gateway named last. */
  commandId: string | null
}

export type ScheduleIntent = Owned & {
  readonly means: 'schedule'
  readonly rows: readonly [Draft]
  /** When it pays: said once, and the same ever after. */
  rule: object | null
  scheduleId: string | null
}

export type BulkIntent = FileIntent | ScheduleIntent

/** The provider's scenarios (docs/sandbox.md), as often as they are listed, without what is stuck until it is recalled: rows are not. */
export const ENDINGS = ['.00', '.00', '.00', '.00', '.11', '.21', '.31', '.32', '.41', '.42', '.43', '.51']
const CHANNELS = ['sandbox', 'second', 'instapay', 'pesonet'] as const
const FILE_SHARE = 0.6
const LOOKS_MAX = 12
const MANILA_MS = 8 * 3_600_000
const MINUTE_MS = 60_000
/** So long before it pays a schedule is made at the latest. */
const AHEAD_MS = 4000

export function bulkIntentOf(dice: Dice, number: number): BulkIntent {
  const owned = { number, tenant: dice.whole(0, 1), key: `intent-${number}`, isDone: false }
  const draft = (row: number): Draft => ({
    amount: Number(`${dice.whole(10, 200)}${dice.pick(ENDINGS)}`),
    currency: 'PHP',
    channel: dice.pick(CHANNELS),
    recipient: { name: `Intent ${number} row ${row}`, wallet: '001234567890', tag: 'BOPIPHMM' },
  })
  if (!dice.chance(FILE_SHARE)) return { ...owned, means: 'schedule', rows: [draft(0)], rule: null, scheduleId: null }
  const rows = Array.from({ length: dice.whole(2, 5) }, (_, row) => draft(row))
  return { ...owned, means: 'file', rows, takesBack: dice.chance(0.2), commandId: null }
}

/** Goes as far with it as the gateway lets it; rejects where no answer came. */
export function pursueBulk(callers: readonly Caller[], intent: BulkIntent, waits: boolean): Promise<Reply> {
  const caller = callers[intent.tenant]
  if (!caller) throw new Error(`there is no tenant ${intent.tenant}`)
  return intent.means === 'file' ? sendFile(caller, intent, waits) : makeSchedule(caller, intent)
}

async function sendFile({ ask }: Caller, intent: FileIntent, waits: boolean): Promise<Reply> {
  const body = { type: 'transfers.payout', reference: intent.key, rows: intent.rows }
  const made = await ask('POST', '/commands', body, intent.key)
  if (made.status !== 200) return made
  const id = (made.data['command'] as { readonly id: string }).id
  intent.commandId = id
  for (let looks = waits ? LOOKS_MAX : 1; looks > 0 && intent.takesBack; looks--) {
    const { data } = await ask('GET', `/commands/${id}/rows`)
    const [row] = (data['rows'] ?? []) as readonly { readonly status: string; readonly contract_id: string | null }[]
    if (row?.contract_id && row.status === 'done') {
      await ask('DELETE', `/contracts/transfer/${row.contract_id}`)
      break
    }
    await sleep(150)
  }
  intent.isDone = true
  return made
}

async function makeSchedule({ ask }: Caller, intent: ScheduleIntent): Promise<Reply> {
  intent.rule ??= nextMinute(Date.now())
  const [template] = intent.rows
  const made = await ask('POST', '/schedules', { name: intent.key, template, rule: intent.rule }, intent.key)
  if (made.status === 200) intent.scheduleId = (made.data['schedule'] as Made).id
  // It was made, and the copy was of the moment before its answer was kept: whoever reads that looks at what there is.
  if (made.code === 'idempotency_reply_lost') {
    const { data } = await ask('GET', '/schedules?limit=100')
    const [own, ...more] = ((data['schedules'] ?? []) as readonly Made[]).filter(({ name }) => name === intent.key)
    if (own && more.length === 0) Object.assign(intent, { scheduleId: own.id, isDone: true })
    return made
  }
  // The minute may be over: what was forgotten of it was adopted, or was never paid.
  intent.isDone = made.status === 200 || made.code === 'invalid_rule'
  return made
}

type Made = { readonly id: string; readonly name: string }

/** The rule that pays once, at the next full minute. */
function nextMinute(nowMs: number): object {
  const at = Math.ceil((nowMs + AHEAD_MS) / MINUTE_MS) * MINUTE_MS
  const text = new Date(at + MANILA_MS).toISOString()
  return { every: 'once', date: text.slice(0, 10), time: text.slice(11, 16), time_zone: 'Asia/Manila' }
}
