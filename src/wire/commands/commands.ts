// Commands on the wire: what is sent to make and fill one, how one and its rows are shown.
import Type, { type Static } from 'typebox'
import {
  type BulkCommand,
  type CommandRow,
  COMMAND_STATUSES,
  COMMAND_TYPES,
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
    description: text(1000, 'What the command is for.'),
    reference: text(128, 'Your own reference.'),
  },
  { $id: 'CommandRequest' },
)

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

const Count = (description: string) => Type.Integer({ minimum: 0, description })

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
    created_by: Type.Object({ key: Type.String(), member: nullable(uuid('The member whose session it was.')) }),
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
    debit: Type.Number({ description: 'What they take from wallets, fees included.' }),
  },
  { $id: 'CommandSum' },
)

export const CommandRowShape = Type.Object(
  {
    index: Type.Integer({ description: 'From 0.' }),
    line: nullable(Type.Integer({ description: 'Where it begins in its CSV file.' })),
    status: Type.Enum([...ROW_STATUSES], { $id: 'CommandRowStatus' }),
    contract_id: nullable(uuid('The contract that it made, or is about.')),
    step: nullable(Type.String({ description: 'The last step that was tried: create, issue, pay, cancel.' })),
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

export const CommandsQuery = closed({
  ...ListQuery.properties,
  status: Type.Optional(Type.Enum([...COMMAND_STATUSES])),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Your own, as you gave it.' })),
})
export const CommandRowsQuery = closed({
  ...ListQuery.properties,
  after: Type.Optional(readAs({ type: 'integer', minimum: 0 }, '^\\d{1,5}$', 'data.next of the page before.')),
  status: Type.Optional(Type.Enum([...ROW_STATUSES])),
  format: Type.Optional(
    Type.Enum(['json', 'csv'], { description: 'json by default, or what Accept asks for; text/csv holds every row.' }),
  ),
})
export type CommandRowsQuery = Static<typeof CommandRowsQuery>

export function presentCommand(command: BulkCommand): Wire<typeof Command> {
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
    created_by: { key: command.keyId, member: command.memberId },
    created_at: iso(command.createdAt),
    started_at: isoOrNull(command.startedAt),
    ended_at: isoOrNull(command.endedAt),
  }
}

/** Minor units of what rows come to, by currency and status. */
type Sum = {
  readonly currency: string
  readonly status: RowStatus
  readonly rows: number
  readonly amountMinor: bigint
  readonly debitMinor: bigint
}

export function presentSum({ currency, status, rows, amountMinor, debitMinor }: Sum): Wire<typeof CommandSum> {
  const major = (minor: bigint) => majorNumber(minor, currency)
  return { currency, status, rows, amount: major(amountMinor), debit: major(debitMinor) }
}

export function presentRow(row: CommandRow): Wire<typeof CommandRowShape> {
  const { index, line, status, contractId, step, error, preview, sent, updatedAt } = row
  return {
    index,
    line,
    status,
    contract_id: contractId,
    step,
    error,
    preview: preview && presentPreview(preview),
    sent,
    updated_at: isoOrNull(updatedAt),
  }
}

function presentPreview({ currency, amount, fee, debit, receive }: RowPreview) {
  const major = (minor: string) => majorNumber(BigInt(minor), currency)
  return { currency, amount: major(amount), fee: major(fee), debit: major(debit), receive: major(receive) }
}
