// gateway recovery: whether the database is older than what the gateway did with it, and how two operators end that.
import { type DatabasePlace, type Epoch, inRecovery } from '../../domain/recovery/epoch.ts'
import { openLines, type RecoveryReport } from '../../app/operator/recovery-report.ts'
import { displayText } from '../../domain/money/money.ts'
import type { LineKind } from '../../domain/recovery/compare.ts'
import { presentChannel, presentLine } from '../../wire/operations/recovery.ts'
import { command, groupOf, option } from '../command.ts'
import { paint, print, printPairs } from '../output.ts'
import { moment, timeText } from '../times.ts'
import { asOperator, DEED, deedOf, OPERATOR, operatorName } from './as-operator.ts'

const WORDS: Readonly<Record<Epoch['reason'], string>> = {
  created: 'the books were made',
  older: 'the database stood before the place where the gateway had last seen it: it was restored from a backup',
  other_timeline: 'the database went on from an older state: a standby was promoted, or it was restored to a moment',
  declared: 'an operator said that it is older than what was done with it',
  other_system: 'the database is on another server, and was not moved there after a stop',
}

const status = command('status', 'tell whether the gateway is in recovery, since when and why', {
  examples: ['gateway recovery status', 'gateway recovery status --json'],
  notes: 'Exit code 1 while it is.',
  run: () =>
    asOperator(async (operator) => ({ epoch: await operator.epoch(), report: await operator.recoveryReport() })),
  json: ({ epoch, report }) => ({ ...epochJson(epoch), ...reportJson(report) }),
  print: ({ epoch, report }) => {
    printEpoch(epoch)
    if (inRecovery(epoch)) printReport(report)
  },
  failed: ({ epoch }) => inRecovery(epoch),
})

const compare = command('compare', 'compare every channel with what its provider did since the books knew last', {
  examples: [
    'gateway recovery compare --operator ana',
    'gateway recovery compare --operator ana --since 2026-03-03T02:00:00Z --json',
  ],
  notes:
    'In recovery only, and as often as need be. What the books have open is settled, what they have forgotten is adopted with\n' +
    'its money held; the rest is in the report. Nothing is sent. Exit code 1 while a line or a channel is open.',
  options: {
    since: option('<time>', 'from when, where that is before the last change in the books', moment),
    ...OPERATOR,
  },
  run: ({ since, operator: name }) =>
    asOperator((operator) => operator.compareRecovery(since ? Date.parse(since.first()) : null, operatorName(name))),
  json: reportJson,
  print: printReport,
  failed: (report) => openLines(report) > 0 || report.channels.some(({ state }) => state === 'failed'),
})

const begin = command(
  'begin',
  'say that the database is older than what was done with it, before a gateway starts on it',
  {
    examples: ['gateway recovery begin --operator ana --evidence "restored from the snapshot of the 3rd, 02:00"'],
    notes:
      'For a database that came back together with its note, or for a gateway with a new data directory. A gateway at work ends.',
    options: DEED,
    run: (options) => asOperator((operator) => operator.declareRecovery(deedOf(options))),
    json: epochJson,
    print: printEpoch,
  },
)

const resume = command(
  'resume',
  'say that the books fit what the rails did; the second operator’s word ends the recovery',
  {
    examples: ['gateway recovery resume --operator ana --evidence "statements of the 3rd and 4th fit, ticket 4711"'],
    notes:
      'Compare first: gateway recovery compare. It is refused while a channel was not compared that --without does not name, and\n' +
      'while one of several servers lacks a lane that was moved to it (docs/several-servers.md).',
    options: {
      ...DEED,
      without: option(
        '<channel>',
        'resume although this channel was not compared; may be given again',
        (text, before: readonly string[] = []): readonly string[] => [...before, text],
      ),
    },
    run: (options) => asOperator((operator) => operator.resume(deedOf(options), options.without ?? [])),
    json: epochJson,
    print: (epoch) =>
      inRecovery(epoch)
        ? print(`${epoch.proposedBy} said so. Within a day another operator has to confirm it by the same command.`)
        : print('The gateway works again: what is due is sent within a second or two.'),
  },
)

export const recovery = groupOf('recovery', 'see that the database is older than what was done with it, and end that', [
  status,
  begin,
  compare,
  resume,
])

function epochJson(epoch: Epoch) {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  const { number, reason, beganAt, mark, found, proposedBy, proposedAt, evidence, resumedBy, resumedAt } = epoch
  return {
    state: inRecovery(epoch) ? 'recovery' : 'normal',
    epoch: number,
    reason,
    began_at: time(beganAt),
    mark: placeJson(mark),
    found: placeJson(found),
    proposed_by: proposedBy,
    proposed_at: time(proposedAt),
    evidence,
    resumed_by: resumedBy,
    resumed_at: time(resumedAt),
  }
}

const placeJson = (place: DatabasePlace | null) =>
  place && {
    system_id: place.systemId,
    timeline: place.timeline,
    position: place.position.toString(),
    marks: place.marks.toString(),
  }

function printEpoch(epoch: Epoch): void {
  const { number, reason, beganAt, mark, found, proposedBy, proposedAt } = epoch
  if (!inRecovery(epoch)) return print(`Not in recovery. Epoch ${number} began ${timeText(new Date(beganAt))}.`)
  print(`${paint('red', 'In recovery')} since ${timeText(new Date(beganAt))}: ${WORDS[reason]}.`)
  printPairs([
    ['it had come to', placeText(mark)],
    ['it was found at', placeText(found)],
    ['said to be well by', proposedBy && proposedAt ? `${proposedBy}, ${timeText(new Date(proposedAt))}` : 'nobody'],
  ])
}

function reportJson({ channels, lines }: RecoveryReport) {
  return { channels: channels.map(presentChannel), lines: lines.map(presentLine) }
}

const PAINTED: Readonly<Record<LineKind, 'green' | 'yellow' | 'red'>> = {
  settled: 'green',
  adopted: 'green',
  in_review: 'yellow',
  open: 'yellow',
  lacking: 'red',
  differs: 'red',
  extra: 'red',
}

function printReport(report: RecoveryReport): void {
  const { channels, lines } = report
  if (channels.length === 0)
    return print('No channel was compared yet: gateway recovery compare. Then two operators: gateway recovery resume.')
  for (const { kind, channelId, reference, contractId, amountMinor, currency, words } of lines) {
    const amount = amountMinor === null || currency === null ? '' : `, ${displayText(amountMinor, currency)}`
    const whose = contractId === null ? '' : `, contract ${contractId}`
    print(`${paint(PAINTED[kind], kind)}  ${channelId} ${reference}${amount}${whose}: ${words}`)
  }
  for (const { channelId, state, matched, words } of channels) {
    const word = paint(state === 'complete' ? 'green' : state === 'failed' ? 'red' : 'yellow', state)
    print(`${channelId}: ${word}, ${matched} match. ${words}`)
  }
  const open = openLines(report)
  print(
    open === 0
      ? 'No line is open. Two operators end it: gateway recovery resume.'
      : `${open} lines are for an operator.`,
  )
}

const placeText = (place: DatabasePlace | null) =>
  place ? `server ${place.systemId}, history ${place.timeline}, byte ${place.position}` : '-'
