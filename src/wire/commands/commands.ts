// Commands on the wire: what is sent to make and fill one, how one and its rows are shown.
import Type, { type Static } from 'typebox'
import {
  type BulkCommand,
  type CommandRow,
  COMMAND_STATUSES,
  COMMAND_TYPES,
  EXPORT_FORMATS,
  EXPORTED,
  type RowChecks,
  type RowPreview,
  type RowStatus,
  ROW_STATUSES,
  ROWS_AT_ONCE_MAX,
} from '../../domain/command/command.ts'
import { majorNumber } from '../../domain/money/money.ts'
import { ListQuery } from '../api.ts'
import {
  closed,
  Currency,
  envelope,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  open,
  readAs,
  text,
  time,
  uuid,
} from '../shapes.ts'
import type { Wire } from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'
import { CommandFile, CommandSchedule, Count } from './shapes.ts'

const rows = Type.Optional(
  nullable(
    Type.Array(open({}), {
      maxItems: ROWS_AT_ONCE_MAX,
      description: 'Each as the request for one would be; where contracts are there already, {"id": …}.',
    }),
  ),
)
const csv = Type.Optional(
  nullable(
    Type.String({
      minLength: 1,
      description: 'The same as a CSV file: its header names what the API names, such as recipient.name.',
    }),
  ),
)

export const CommandBody = closed(
  {
    type: Type.Enum([...COMMAND_TYPES], { $id: 'CommandType', description: 'What is done with each row.' }),
    dry_run: Type.Optional(
      nullable(Type.Boolean({ description: 'Prices and checks every row, and writes no contract.' })),
    ),
    rows,
    csv,
    filter: Type.Optional(
      nullable(
        Type.Unsafe<Readonly<Record<string, unknown>>>({
          type: 'object',
          additionalProperties: true,
          description:
            'In place of rows: the parameters of the list concerned, such as {"status": "issued", "currency": "PHP"}. What fits when the command is made is its rows; {} is everything.',
        }),
      ),
    ),
    dry_run_id: Type.Optional(
      nullable(uuid('In place of rows: a dry run of the same type that has ended. Its very rows are done.')),
    ),
    again: Type.Optional(
      nullable(
        Type.Boolean({ description: 'With dry_run_id: does its rows once more, though they were started before.' }),
      ),
    ),
    what: Type.Optional(nullable(Type.Enum([...EXPORTED], { description: 'With export: what is written.' }))),
    format: Type.Optional(nullable(Type.Enum([...EXPORT_FORMATS], { description: 'With export: csv by default.' }))),
    webhook_endpoint: Type.Optional(nullable(uuid('With events.replay: the endpoint that hears the events again.'))),
    description: text(1000, 'What the command is for.'),
    reference: text(128, 'Your own reference.'),
  },
  { $id: 'CommandRequest' },
)

export type CommandBody = Static<typeof CommandBody>

export const CommandRowsBody = closed(
  {
    first: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 0,
          maximum: 99_999,
          description: 'The index of the first of these rows; 0 by default.',
        }),
      ),
    ),
    lines_before: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 0,
          maximum: 10_000_000,
          description: 'Where csv is a part of a file: how many lines of it stand between the header and these rows.',
        }),
      ),
    ),
    rows,
    csv,
  },
  { $id: 'CommandRowsRequest' },
)

/** A row that names a contract. */
export const CommandRowBody = closed({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  source: Type.Optional(nullable(uuid('The wallet to pay from.'))),
  reason: text(1000, 'Why.'),
})

/** A row that names an event. */
export const EventRowBody = closed({ id: Type.String({ minLength: 1, maxLength: 64 }) })

export const Command = Type.Object(
  {
    id: uuid('Command identifier.'),
    livemode,
    type: Type.Enum([...COMMAND_TYPES], { $id: 'CommandType' }),
    status: Type.Enum([...COMMAND_STATUSES], {
      $id: 'CommandStatus',
      description: 'open takes rows; queued waits to be worked on.',
    }),
    dry_run: Type.Boolean(),
    cancelling: Type.Boolean({ description: 'Cancelled, while the rows that were begun are still being finished.' }),
    description: nullableText,
    reference: nullableText,
    progress: Type.Object(
      {
        total: Count('Rows.'),
        done: Count('Rows that came to what was asked.'),
        failed: Count('Rows that were refused: see their errors.'),
        waiting: Count('Rows whose contract needs something of somebody else first.'),
        skipped: Count('Rows that were not begun when the command was cancelled.'),
        left: Count('Rows that are not begun, or not recorded, yet.'),
      },
      { $id: 'CommandProgress' },
    ),
    gathering: Type.Boolean({
      description:
        'Its rows are still being brought in, of its filter or its dry run. None is begun before all are there.',
    }),
    stopped: nullable(
      Type.Object(
        {
          code: Type.String({ description: 'A code of docs/errors.md, such as scope_missing.' }),
          message: Type.String({ description: 'Why the gateway paused or ended it, and what to do.' }),
        },
        { $id: 'CommandStop' },
      ),
    ),
    what: nullable(Type.Enum([...EXPORTED])),
    format: nullable(Type.Enum([...EXPORT_FORMATS])),
    filter: nullable(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true })),
    webhook_endpoint: nullable(uuid('Which hears the events again.')),
    dry_run_id: nullable(uuid('The dry run whose rows these are.')),
    file: nullable(CommandFile),
    // Events tell the command as it was then: those of before runs were commands lack it.
    schedule: Type.Optional(nullable(CommandSchedule)),
    created_by: Type.Object({
      key: Type.String({ description: 'The key; where a member gave it, or a schedule runs as one, that member.' }),
      member: nullable(uuid('The member who gave it, or as whom a schedule runs.')),
    }),
    created_at: time('When.'),
    started_at: nullableTime,
    ended_at: nullableTime,
  },
  { $id: 'Command' },
)

const CommandSum = Type.Object(
  {
    currency: Currency,
    status: Type.Enum([...ROW_STATUSES], { $id: 'CommandRowStatus' }),
    rows: Type.Integer(),
    amount: Type.Number({ description: 'Of the contracts.' }),
    fee: Type.Number(),
    debit: Type.Number({ description: 'What they take from wallets, fees included.' }),
  },
  { $id: 'CommandSum' },
)

const named = { policy: uuid('Of the policy.'), name: Type.String() }

const asking = {
  policy: nullable(uuid('The policy that asks; null where a mandate does.')),
  mandate: nullable(Type.String({ description: 'The API key whose mandate asks; null where a policy does.' })),
  name: Type.String({ description: 'Of the policy, or of the key.' }),
}

const RowChecksShape = Type.Object(
  {
    denied: nullable(
      Type.Object({ ...named, words: Type.String() }, { description: 'The policy that refuses it, with its words.' }),
    ),
    approvals: Type.Array(Type.Object({ ...asking, count: Type.Integer(), role: nullableText }), {
      description: 'Each is asked for before it is paid.',
    }),
    verifications: Type.Array(Type.Object({ ...named, kind: Type.String() })),
    delay_seconds: Type.Integer({ description: 'So long it waits before it is paid.' }),
    same_as_row: nullable(
      Type.Integer({ description: 'The index of a row before it that pays the same amount to the same recipient.' }),
    ),
    same_as_line: nullable(Type.Integer({ description: 'Where that row begins in its CSV file.' })),
    paid_before: nullable(
      Type.Object(
        { contract_id: uuid('The contract.'), at: time('When it was paid.') },
        { description: 'A contract of the last 30 days that paid the same amount to the same recipient.' },
      ),
    ),
  },
  { $id: 'CommandRowChecks', description: 'What a dry run finds beside the price; null elsewhere.' },
)

export const CommandRowShape = Type.Object(
  {
    index: Type.Integer({ description: 'From 0.' }),
    line: nullable(Type.Integer({ description: 'Where it begins in its CSV file.' })),
    status: Type.Enum([...ROW_STATUSES], { $id: 'CommandRowStatus' }),
    contract_id: nullable(uuid('The contract that it made, or is about.')),
    step: nullable(Type.String({ description: 'The last step that was tried: create, issue, pay, cancel, replay.' })),
    error: nullable(
      Type.Object({ code: Type.String(), param: nullableText, message: Type.String() }, { $id: 'CommandRowError' }),
    ),
    preview: nullable(
      Type.Object(
        {
          currency: Currency,
          amount: Type.Number(),
          fee: Type.Number(),
          debit: Type.Number(),
          receive: Type.Number({ description: 'What arrives.' }),
        },
        { $id: 'CommandRowPreview' },
      ),
    ),
    checks: nullable(RowChecksShape),
    sent: Type.Object({}, { additionalProperties: true, description: 'The row as it was sent.' }),
    updated_at: nullableTime,
  },
  { $id: 'CommandRow' },
)

const data = { command: Command }
export const CommandReply = envelope('number', Type.Object(data))
export const CommandFoundReply = envelope('number', Type.Object({ ...data, sums: Type.Array(CommandSum) }))
export const CommandsReply = envelope('number', Type.Object({ commands: Type.Array(Command), next: nullableText }))
export const CommandRowsReply = envelope(
  'number',
  Type.Object({ rows: Type.Array(CommandRowShape), next: nullableText }),
)

export const CommandFileReply = Type.String({ description: 'Of format csv: a line of names, and a line for each row.' })

export const CommandsQuery = closed({
  ...ListQuery.properties,
  status: Type.Optional(Type.Enum([...COMMAND_STATUSES])),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Your own, as you gave it.' })),
  dry_run_id: Type.Optional(uuid('Only those that do the rows of this dry run.')),
})
export const CommandRowsQuery = closed({
  ...ListQuery.properties,
  after: Type.Optional(readAs({ type: 'integer', minimum: 0 }, '^\\d{1,5}$', 'data.next of the page before.')),
  status: Type.Optional(Type.Enum([...ROW_STATUSES])),
  flagged: Type.Optional(
    readAs(
      { type: 'boolean' },
      '^(true|false)$',
      'true: of a dry run, only rows whose checks say something: a denial, approvals, verifications, a delay, or a payment that may be there twice.',
    ),
  ),
  format: Type.Optional(
    Type.Enum(['json', 'csv'], { description: 'json by default, or what Accept asks for; text/csv holds every row.' }),
  ),
})
export type CommandRowsQuery = Static<typeof CommandRowsQuery>

/** The command at a moment: the file of one that is old has been forgotten. */
export function presentCommand(command: BulkCommand, nowMs: number): Wire<typeof Command> {
  const { progress } = command
  const { total, done, failed, waiting, skipped } = progress
  return {
    id: command.id,
    livemode: command.livemode,
    type: command.type,
    status: command.status,
    dry_run: command.dryRun,
    cancelling: command.cancelling,
    description: command.description,
    reference: command.reference,
    progress: { ...progress, left: total - done - failed - waiting - skipped },
    ...wantedOf(command),
    file: presentFile(command, nowMs),
    schedule: command.schedule,
    created_by: { key: command.keyId ?? command.memberId ?? '', member: command.memberId },
    created_at: iso(command.createdAt),
    started_at: isoOrNull(command.startedAt),
    ended_at: isoOrNull(command.endedAt),
  }
}

function wantedOf({ wanted, gathering, stopped }: BulkCommand) {
  return {
    gathering,
    stopped,
    what: wanted?.what ?? null,
    format: wanted?.format ?? null,
    filter: wanted?.filter ?? null,
    webhook_endpoint: wanted?.endpointId ?? null,
    dry_run_id: wanted?.dryRunId ?? null,
  }
}

/** What the file of an export is called, and of which form it is. */
export function fileNameOf({ id, wanted }: BulkCommand): { readonly name: string; readonly contentType: string } {
  const format = wanted?.format ?? 'csv'
  const contentType = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
  return { name: `${wanted?.what ?? 'export'}-${id}.${format}`, contentType }
}

function presentFile(command: BulkCommand, nowMs: number): Wire<typeof Command>['file'] {
  const { file, progress } = command
  if (!file || (command.endedAt !== null && file.sha256 === null)) return null
  const { name, contentType } = fileNameOf(command)
  const isOver = file.expiresAt !== null && file.expiresAt <= nowMs
  return {
    status: file.sha256 === null ? 'writing' : isOver ? 'expired' : 'ready',
    name,
    content_type: contentType,
    bytes: file.bytes,
    rows: progress.done,
    sha256: file.sha256,
    expires_at: isoOrNull(file.expiresAt),
  }
}

/** Minor units of what rows come to, by currency and status. */
type Sum = {
  readonly currency: string
  readonly status: RowStatus
  readonly rows: number
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly debitMinor: bigint
}

export function presentSum({
  currency,
  status,
  rows,
  amountMinor,
  feeMinor,
  debitMinor,
}: Sum): Wire<typeof CommandSum> {
  const major = (minor: bigint) => majorNumber(minor, currency)
  return { currency, status, rows, amount: major(amountMinor), fee: major(feeMinor), debit: major(debitMinor) }
}

export function presentRow(row: CommandRow): Wire<typeof CommandRowShape> {
  const { index, line, status, contractId, step, error, preview, checks, sent, updatedAt } = row
  return {
    index,
    line,
    status,
    contract_id: contractId,
    step,
    error,
    preview: preview && presentPreview(preview),
    checks: checks && presentChecks(checks),
    sent,
    updated_at: isoOrNull(updatedAt),
  }
}

function presentChecks({ delaySeconds, sameAsRow, sameAsLine, paidBefore, approvals, ...asked }: RowChecks) {
  const paid = paidBefore && { contract_id: paidBefore.contractId, at: iso(paidBefore.at) }
  const asks = approvals.map((each) => ({ ...each, mandate: each.mandate ?? null }))
  const same = { same_as_row: sameAsRow, same_as_line: sameAsLine ?? null }
  return { ...asked, ...same, approvals: asks, delay_seconds: delaySeconds, paid_before: paid }
}

function presentPreview({ currency, amount, fee, debit, receive }: RowPreview) {
  const major = (minor: string) => majorNumber(BigInt(minor), currency)
  return { currency, amount: major(amount), fee: major(fee), debit: major(debit), receive: major(receive) }
}
