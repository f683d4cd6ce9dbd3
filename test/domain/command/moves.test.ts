// Which moves a command makes: every verb at every status, also while it is being cancelled.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_COMMAND } from '../../../src/app/commands/commands.ts'
import {
  type BulkCommand,
  COMMAND_STATUSES,
  type CommandStatus,
  type CommandVerb,
  movedCommand,
} from '../../../src/domain/command/command.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'

const NOW = 1_800_000_000_000
const VERBS: readonly CommandVerb[] = ['start', 'pause', 'resume', 'cancel']

const standing = (status: CommandStatus, cancelling: 'is being cancelled' | 'is not'): BulkCommand => ({
  ...EMPTY_COMMAND,
  lane: 1,
  accountId: 'account',
  livemode: false,
  id: 'command',
  type: 'transfers.payout',
  keyId: 'key',
  memberId: null,
  status,
  cancelling: cancelling === 'is being cancelled',
  progress: { ...EMPTY_COMMAND.progress, total: 2 },
  createdAt: NOW,
  startedAt: status === 'open' ? null : NOW,
  endedAt: status === 'completed' || status === 'cancelled' ? NOW : null,
})

/** What comes of a verb: the status after it, the same command, or why not. */
function comesOf(command: BulkCommand, verb: CommandVerb): string {
  const after = movedCommand(command, verb, NOW, null)
  if (isRefusal(after)) return after.code
  if (after === command) return 'the same'
  return after.cancelling ? 'cancelling' : after.status
}

const NOT_MOVABLE = 'command_not_movable'

test.each<[CommandVerb, Readonly<Record<CommandStatus, string>>]>([
  [
    'start',
    {
      open: 'queued',
      queued: 'the same',
      running: 'the same',
      paused: NOT_MOVABLE,
      completed: 'the same',
      cancelled: NOT_MOVABLE,
    },
  ],
  [
    'pause',
    {
      open: NOT_MOVABLE,
      queued: 'paused',
      running: 'paused',
      paused: 'the same',
      completed: NOT_MOVABLE,
      cancelled: NOT_MOVABLE,
    },
  ],
  [
    'resume',
    {
      open: NOT_MOVABLE,
      queued: 'the same',
      running: 'the same',
      paused: 'queued',
      completed: NOT_MOVABLE,
      cancelled: NOT_MOVABLE,
    },
  ],
  [
    'cancel',
    {
      open: 'cancelling',
      queued: 'cancelling',
      running: 'cancelling',
      paused: 'cancelling',
      completed: NOT_MOVABLE,
      cancelled: 'the same',
    },
  ],
])('%s, at each status', (verb, wanted) => {
  const found = COMMAND_STATUSES.map((status) => [status, comesOf(standing(status, 'is not'), verb)])
  expect(Object.fromEntries(found)).toEqual(wanted)
})

test('one that is being cancelled takes no other verb, and cancel again changes nothing', () => {
  for (const status of ['open', 'queued', 'running', 'paused'] as const) {
    const command = standing(status, 'is being cancelled')
    expect(VERBS.map((verb) => comesOf(command, verb))).toEqual([NOT_MOVABLE, NOT_MOVABLE, NOT_MOVABLE, 'the same'])
  }
})

test('rows behind a gap keep it from its start, and from nothing else', () => {
  const open = standing('open', 'is not')
  const refused = movedCommand(open, 'start', NOW, 1)
  expect(isRefusal(refused) ? [refused.code, refused.message] : null).toEqual([
    NOT_MOVABLE,
    expect.stringContaining('Row 1 is not there'),
  ])
  expect(movedCommand(open, 'cancel', NOW, 1)).toMatchObject({ cancelling: true })
})

test('a verb that was obeyed may be given again, whatever it met', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...COMMAND_STATUSES),
      fc.constantFrom('is being cancelled', 'is not'),
      fc.constantFrom(...VERBS),
      (status, cancelling, verb) => {
        const after = movedCommand(standing(status, cancelling), verb, NOW, null)
        fc.pre(!isRefusal(after))
        expect(movedCommand(after, verb, NOW + 1, null)).toBe(after)
      },
    ),
  )
})
