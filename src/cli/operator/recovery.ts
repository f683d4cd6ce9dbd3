// gateway recovery: whether the database is older than what the gateway did with it, and how two operators end that.
import { type DatabasePlace, type Epoch, inRecovery } from '../../domain/recovery/epoch.ts'
import { command, groupOf } from '../command.ts'
import { paint, print, printPairs } from '../output.ts'
import { timeText } from '../times.ts'
import { asOperator, DEED, deedOf } from './as-operator.ts'

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
  run: () => asOperator((operator) => operator.epoch()),
  json: epochJson,
  print: printEpoch,
  failed: inRecovery,
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
    notes: 'Compare first: gateway reconcile CHANNEL --day DAY, for every channel and each day since the backup.',
    options: DEED,
    run: (options) => asOperator((operator) => operator.resume(deedOf(options))),
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
  print('Compare every channel with its provider (gateway reconcile), then two operators: gateway recovery resume.')
}

const placeText = (place: DatabasePlace | null) =>
  place ? `server ${place.systemId}, history ${place.timeline}, byte ${place.position}` : '-'
