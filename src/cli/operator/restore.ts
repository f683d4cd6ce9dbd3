// gateway restore: a backup into a data directory of its own, where a gateway then starts in recovery.
import { resolve } from 'node:path'
import { readConfig } from '../../main/config/config.ts'
import { argument, command, option, required } from '../command.ts'
import { CommandFailed } from '../failures.ts'
import { openProgress, paint, print, printPairs } from '../output.ts'
import { timeText } from '../times.ts'
import { OPERATOR, operatorName } from './as-operator.ts'
import { FROM } from './backup.ts'

export const restore = command(
  'restore',
  'restore a backup into a directory of its own, up to a moment; it starts in recovery',
  {
    arguments: [argument('<id>', 'the backup, as gateway backup list shows it')],
    examples: [
      'gateway restore 20261123T021500Z-3fa1b2c4 --data-dir /var/lib/gateway-restored',
      'gateway restore 20261123T021500Z-3fa1b2c4 --to-time 2026-11-23T09:30:00+08:00 --data-dir /var/lib/gateway-restored',
    ],
    options: {
      dataDir: required(option('<dir>', 'where the database goes: empty, or not there yet', (text) => resolve(text))),
      toTime: option('<time>', 'the moment up to which it is restored (default: as far as its log goes)', momentMs),
      ...FROM,
      ...OPERATOR,
    },
    notes:
      'The backup is only read. A gateway that starts there moves no money until two operators resume (gateway recovery status).',
    run: async ({ dataDir, toTime, from, operator }, id) => {
      const { restoreInstallation } = await import('../../main/backups/installation.ts')
      const progress = openProgress()
      const onBytes = (done: number, total: number) => progress.show(done, total, 'copying')
      const wanted = { id, from, dataDir, toTimeMs: toTime ?? null, operator: operatorName(operator) }
      try {
        return await restoreInstallation(readConfig(), wanted, onBytes)
      } finally {
        progress.end()
      }
    },
    json: ({ id, dataDir, restoredToMs, epoch, sealingKeys, lackingKeys }) => ({
      id,
      data_dir: dataDir,
      restored_to: restoredToMs === null ? null : new Date(restoredToMs).toISOString(),
      epoch,
      sealing_keys: sealingKeys,
      lacking_sealing_keys: lackingKeys,
    }),
    print: ({ id, dataDir, restoredToMs, epoch, sealingKeys, lackingKeys }) => {
      print(`${paint('green', 'Restored')} ${id}`)
      printPairs([
        ['in', dataDir],
        ['last transaction', restoredToMs === null ? 'of the backup' : timeText(restoredToMs / 1000)],
        ['epoch', `${epoch}, in recovery`],
        ['sealing keys', sealingKeys.join(', ') || 'none is needed'],
      ])
      if (lackingKeys.length > 0)
        print(
          `\n${paint('yellow', `The sealing key ${lackingKeys.join(', ')} is not in the backup.`)} Before the start put it into GATEWAY_SEALING_KEYS, or the file sealing.key into ${dataDir}. Without it the gateway does not start: the secrets of webhooks and verifiers would not open.`,
        )
      print(`\nThen: GATEWAY_DATA_DIR=${dataDir} gateway start, and gateway recovery status`)
    },
  },
)

/** ISO 8601 with its distance from UTC: an hour off is another day's money. */
function momentMs(text: string): number {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw new CommandFailed('Give a time with its zone, such as 2026-11-23T09:30:00+08:00.')
  if (ms > Date.now())
    throw new CommandFailed('That moment has not come yet. Leave --to-time out to go as far as the log goes.')
  return ms
}
