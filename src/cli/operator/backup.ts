// gateway backup: makes a backup of the embedded database while it works, lists backups, and proves one by restoring it aside.
import { resolve } from 'node:path'
import type { Backup } from '../../main/backups/manifest.ts'
import type { Taken } from '../../main/backups/take.ts'
import { readConfig } from '../../main/config/config.ts'
import { argument, command, groupOf, option } from '../command.ts'
import { openProgress, paint, print, printPairs } from '../output.ts'
import { timeText } from '../times.ts'
import { printMany, type Shows } from '../view.ts'

/** Where backups are, when that is not what the configuration says. */
export const FROM = {
  from: option('<dir>', 'where the backups are (default: GATEWAY_BACKUP_DIR)', (text) => resolve(text)),
}

const create = command('create', 'make a backup; the gateway goes on meanwhile', {
  examples: ['gateway backup', 'gateway backup --to /mnt/backups'],
  options: { to: option('<dir>', 'where it goes (default: GATEWAY_BACKUP_DIR)', (text) => resolve(text)) },
  notes: 'The sealing key is not in it: keep that apart (docs/backups.md).',
  run: ({ to }) => taken(to),
  json: (made) => ({ ...backupJson(made), took_ms: Math.round(made.tookMs) }),
  print: (made) => {
    print(`${paint('green', 'Backup')} ${made.manifest.id}`)
    printPairs([
      ['in', made.place],
      ['size', sizeText(made.bytes)],
      ['files', made.manifest.files.length],
      ['took', `${(made.tookMs / 1000).toFixed(1)} s`],
      ['sealing keys', made.manifest.sealing_keys.join(', ') || 'none is needed'],
    ])
  },
})

async function taken(to: string | undefined): Promise<Taken> {
  const { backUp } = await import('../../main/backups/open.ts')
  const progress = openProgress()
  try {
    return await backUp(readConfig(), to, (done, total) => progress.show(done, total, 'copying'))
  } finally {
    progress.end()
  }
}

const BACKUPS: Shows<Backup> = [
  ['id', ({ manifest }) => manifest.id],
  ['finished', ({ manifest }) => timeText(manifest.finished_at)],
  ['size', ({ bytes }) => sizeText(bytes)],
  ['release', ({ manifest }) => manifest.gateway_version],
  ['schema', ({ manifest }) => manifest.schema_version],
  ['epoch', ({ manifest }) => manifest.epoch],
]

const list = command('list', 'list the backups, newest first', {
  examples: ['gateway backup list', 'gateway backup list --from /mnt/backups --json'],
  options: FROM,
  run: async ({ from }) => {
    const [{ directoryOf }, { listBackups }] = await Promise.all([
      import('../../main/backups/open.ts'),
      import('../../main/backups/manifest.ts'),
    ])
    return listBackups(directoryOf(readConfig(), from))
  },
  json: (all) => all.map(backupJson),
  print: (all) => (all.length === 0 ? print('None.') : printMany(all, BACKUPS)),
})

const verify = command('verify', 'prove a backup: restore it aside, prove the books in it, and delete the copy', {
  arguments: [argument('[id]', 'the backup (default: the newest)')],
  examples: ['gateway backup verify', 'gateway backup verify 20261123T021500Z-3fa1b2c4'],
  options: FROM,
  notes:
    'Needs as much room beside the backups again. Exit code 1 when it cannot be restored, or the books in it do not hold.',
  run: async ({ from }, id) => {
    const [{ directoryOf }, { findBackup }, { verifyBackup }, { sealKeysHere }] = await Promise.all([
      import('../../main/backups/open.ts'),
      import('../../main/backups/manifest.ts'),
      import('../../main/backups/verify.ts'),
      import('../../main/database/sealing-keys.ts'),
    ])
    const config = readConfig()
    const directory = directoryOf(config, from)
    const sealKeys = sealKeysHere(config.sealingKeys, config.dataDir)
    const backup = findBackup(directory, id)
    const progress = openProgress()
    try {
      const verdict = await verifyBackup(backup, directory, sealKeys, {
        say: () => undefined,
        onBytes: (done, total) => progress.show(done, total, 'copying'),
        onLane: (done, total) => progress.show(done, total, `lane ${done} of ${total}`),
      })
      return { id: backup.manifest.id, ...verdict, holds: verdict.findings.length === 0 }
    } finally {
      progress.end()
    }
  },
  json: ({ id, holds, counts, seals, heads, findings }) => ({ id, holds, counts, seals, heads, findings }),
  print: ({ id, holds, counts, seals, heads, findings }) => {
    for (const { proof, row, problem } of findings)
      print(`${paint('red', `does not hold: ${proof}`)}\n  ${row}: ${problem}`)
    const looked = `${counts.wallets} wallets, ${counts.entries} ledger rows, ${counts.contracts} contracts, ${seals} seals and ${heads} kept heads`
    if (holds) print(`${paint('green', `Backup ${id} can be restored, and the books in it hold.`)} ${looked}`)
    else print(`Backup ${id} can be restored, but ${findings.length} proofs of its books do not hold. ${looked}`)
  },
  failed: ({ holds }) => !holds,
})

export const backup = groupOf(
  'backup',
  'back the embedded database up while it works; list backups, and prove that one can be restored',
  [],
)
backup.addCommand(create, { isDefault: true }).addCommand(list).addCommand(verify)

function backupJson({ place, manifest, bytes }: Backup) {
  const facts = { ...manifest, files: manifest.files.length, directories: manifest.directories.length }
  return { ...facts, place, bytes }
}

/** A size for people. */
export function sizeText(bytes: number): string {
  const gib = bytes / (1 << 30)
  return gib >= 1 ? `${gib.toFixed(1)} GiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`
}
