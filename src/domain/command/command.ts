// Commands as accounts give them: work on many contracts at once, row by row. Which types there are, what whoever gives one must
// be allowed, and which moves a command makes. Pure.
import type { Scope } from '../account/scopes.ts'
import type { Command } from '../contract/command.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'

/** Types that rows alone say everything of. */
export const ROW_TYPES = [
  'transfers.create',
  'transfers.issue',
  'transfers.pay',
  'transfers.cancel',
  'transfers.payout',
  'payments.create',
] as const

export const COMMAND_TYPES = [...ROW_TYPES, 'events.replay', 'export'] as const
export type CommandType = (typeof COMMAND_TYPES)[number]

/** `open` takes rows; `queued` waits for whoever works on it. */
export const COMMAND_STATUSES = ['open', 'queued', 'running', 'paused', 'completed', 'cancelled'] as const
export type CommandStatus = (typeof COMMAND_STATUSES)[number]

/** `waiting`: its contract needs something of somebody else first. `skipped`: the command was cancelled before it was begun. */
export const ROW_STATUSES = ['queued', 'waiting', 'done', 'failed', 'skipped'] as const
export type RowStatus = (typeof ROW_STATUSES)[number]

export const ROWS_MAX = 100_000
/** Rows that one request brings at most. */
export const ROWS_AT_ONCE_MAX = 10_000
/** Commands that have not ended, of one account. */
export const OPEN_COMMANDS_MAX = 20

/** What whoever gives a command of the type must be allowed, beside commands:write: what each of its rows needs. */
const SCOPES_OF: Readonly<Record<CommandType, readonly Scope[]>> = {
  'transfers.create': ['contracts:write'],
  'transfers.issue': ['transfers:issue'],
  'transfers.pay': ['transfers:pay'],
  'transfers.cancel': ['transfers:cancel'],
  'transfers.payout': ['contracts:write', 'transfers:issue', 'transfers:pay'],
  'payments.create': ['contracts:write'],
  'events.replay': ['webhooks:manage'],
  export: [],
}

export const EXPORTED = ['contracts', 'entries', 'events'] as const
export type Exported = (typeof EXPORTED)[number]
export const EXPORT_FORMATS = ['csv', 'ndjson'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** What lets a caller read what is exported. */
const SCOPES_OF_EXPORT: Readonly<Record<Exported, readonly Scope[]>> = {
  contracts: ['contracts:read'],
  entries: ['wallets:read'],
  events: ['events:read'],
}

/** Of the steps of rows: the type that does each alone, whose scopes are those of the step. */
const TYPE_OF_STEP: Readonly<Partial<Record<Command['verb'], CommandType>>> = {
  create_transfer: 'transfers.create',
  create_payment: 'payments.create',
  issue: 'transfers.issue',
  pay: 'transfers.pay',
  cancel: 'transfers.cancel',
}

/** What must be allowed to whoever does a step alone, by its verb. */
export function scopesOfStep(verb: Command['verb']): readonly Scope[] {
  const type = TYPE_OF_STEP[verb]
  return type ? SCOPES_OF[type] : []
}

export const scopesNeeded = (type: CommandType, what: Exported | null): readonly Scope[] =>
  what === null ? SCOPES_OF[type] : SCOPES_OF_EXPORT[what]

/** Types whose rows may be taken from a filter, for they name what is there already. */
export const FILTERED: ReadonlySet<CommandType> = new Set<CommandType>([
  'transfers.issue',
  'transfers.pay',
  'transfers.cancel',
  'events.replay',
  'export',
])

/** What is wanted of a command beside its rows. */
export type Wanted = {
  readonly what: Exported | null
  readonly format: ExportFormat | null
  /** The webhook endpoint that hears events again. */
  readonly endpointId: string | null
  /** The dry run whose rows are done. */
  readonly dryRunId: string | null
  /** As it was sent: the parameters of the list concerned. */
  readonly filter: Readonly<Record<string, unknown>> | null
  /** The types of events that are exported, which whoever reads the file must be allowed to be told of. */
  readonly types?: readonly string[]
}

/** Why the gateway stopped a command. */
export type Stop = { readonly code: string; readonly message: string }

/** What an export has written so far; its hash, of the whole, once it is whole. */
export type CommandFile = {
  readonly parts: number
  readonly bytes: number
  readonly sha256: string | null
  readonly expiresAt: number | null
}

/** How many contracts, entries or events one file holds. */
export const EXPORT_ROWS_MAX = 1_000_000
/** For so long a file is kept. */
export const FILE_KEPT_MS = 7 * 86_400_000

export type Progress = Readonly<Record<'total' | 'done' | 'failed' | 'waiting' | 'skipped', number>>

/** A command as it stands. Times are milliseconds since the epoch. */
export type BulkCommand = {
  readonly lane: number
  readonly accountId: string
  readonly livemode: boolean
  readonly id: string
  readonly type: CommandType
  readonly status: CommandStatus
  readonly dryRun: boolean
  readonly description: string | null
  readonly reference: string | null
  /** Cancelled, while what was begun is still being finished. */
  readonly cancelling: boolean
  /** For whom the rows act: a key, or a member, and then there is no key. */
  readonly keyId: string | null
  readonly memberId: string | null
  /** By which session its member made, started or resumed it last; null of a key's, and of the run of a schedule. */
  readonly sessionId: string | null
  /** Who wrote the rows, those of a dry run whose rows they are, too: members and keys. Empty of what was stored before they were kept. */
  readonly writers: readonly string[]
  /** Whose run it is, and the how-manieth; null where somebody gave it. */
  readonly schedule: { readonly id: string; readonly run: number } | null
  readonly progress: Progress
  readonly wanted: Wanted | null
  /** Its rows are still being brought in. */
  readonly gathering: boolean
  /** Where the account's history stood when it was made; null where that does not matter. */
  readonly upTo: number | null
  readonly stopped: Stop | null
  /** Of an export. */
  readonly file: CommandFile | null
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** What came of a row, or why it came to nothing. */
export type RowError = { readonly code: string; readonly param: string | null; readonly message: string }

/** A row as it is worked on and shown. */
export type CommandRow = {
  readonly index: number
  readonly line: number | null
  readonly sent: Readonly<Record<string, unknown>>
  readonly status: RowStatus
  readonly contractId: string | null
  readonly step: string | null
  readonly error: RowError | null
  readonly preview: RowPreview | null
  readonly checks: RowChecks | null
  readonly updatedAt: number | null
}

/** What a row's contract costs, as it is kept: minor units as text. */
export type RowPreview = {
  readonly currency: string
  readonly amount: string
  readonly fee: string
  readonly debit: string
  readonly receive: string
}

/** A policy as a row names it. */
type NamedPolicy = { readonly policy: string; readonly name: string }

/** A policy, or the mandate of the key that is named; what was kept before mandates asked has no such member. */
type NamedAsking = { readonly policy: string | null; readonly mandate?: string | null; readonly name: string }

/** What a dry run finds of a row beside its price. Times are milliseconds since the epoch. */
export type RowChecks = {
  readonly denied: (NamedPolicy & { readonly words: string }) | null
  readonly approvals: readonly (NamedAsking & { readonly count: number; readonly role: string | null })[]
  readonly verifications: readonly (NamedPolicy & { readonly kind: string })[]
  readonly delaySeconds: number
  /** A row before it in the command that pays the same to the same. */
  readonly sameAsRow: number | null
  /** Where that row begins in the CSV file; what was kept before this was noted has no such member. */
  readonly sameAsLine?: number | null
  /** A contract that was paid lately: the same to the same. */
  readonly paidBefore: { readonly contractId: string; readonly at: number } | null
}

export type CommandVerb = 'start' | 'pause' | 'resume' | 'cancel'

const FROM: Readonly<Record<CommandVerb, readonly CommandStatus[]>> = {
  start: ['open'],
  pause: ['queued', 'running'],
  resume: ['paused'],
  cancel: ['open', 'queued', 'running', 'paused'],
}

/**
 * The status that the verb has reached already: the same again changes nothing. What has run to its end was started, so a program
 * that died after its start may simply run again; of what was cancelled it is told.
 */
const REACHED: Readonly<Record<CommandVerb, readonly CommandStatus[]>> = {
  start: ['queued', 'running', 'completed'],
  pause: ['paused'],
  resume: ['queued', 'running'],
  cancel: ['cancelled'],
}

/**
 * The command after the verb; the same where it stands there already; or why it cannot be moved so. `missing`: the first index at which
 * it has no row although it has rows behind; null where it has no such gap.
 */
export function movedCommand(
  command: BulkCommand,
  verb: CommandVerb,
  nowMs: number,
  missing: number | null,
): BulkCommand | Refusal {
  const { status, cancelling, progress } = command
  if (REACHED[verb].includes(status) && !(cancelling && verb !== 'cancel')) return command
  if (cancelling) return verb === 'cancel' ? command : refuseMove('is being cancelled')
  if (!FROM[verb].includes(status)) return refuseMove(`is ${status}`)
  if (verb === 'start' && progress.total === 0 && !command.gathering)
    return refuse('command_empty', 'id', 'The command has no rows yet.')
  if (verb === 'start' && missing !== null) return refuseGap(missing)
  switch (verb) {
    case 'start':
      return { ...command, status: 'queued', startedAt: nowMs }
    case 'resume':
      return { ...command, status: 'queued', stopped: null }
    case 'pause':
      return { ...command, status: 'paused' }
    case 'cancel':
      // Without rows there is nothing to skip: it ends at once.
      return status === 'open' && progress.total === 0
        ? { ...command, status: 'cancelled', endedAt: nowMs }
        : { ...command, cancelling: true }
  }
}

function refuseMove(stands: string): Refusal {
  return refuse('command_not_movable', 'id', `The command ${stands}. Read it again: GET /commands/{id}.`)
}

/** What was lost on its way would never be done, and nobody would be told of it. */
function refuseGap(missing: number): Refusal {
  const words = `Row ${missing} is not there, though rows behind it are: a part was lost on its way.`
  return refuse('command_not_movable', 'id', `${words} Send it again, then start the command.`)
}

/** Codes that say that somebody else has to do something first: the row is tried again. */
const WAITED_FOR: ReadonlySet<string> = new Set(['approval_required', 'verification_required'])
export const isWaitedFor = (code: string): boolean => WAITED_FOR.has(code)
