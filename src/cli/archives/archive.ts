// gateway archive: writes the sealed past of accounts into files, and proves such files by public keys alone.
import { resolve } from 'node:path'
import type { NotedArchive } from '../../main/archives/note.ts'
import type { ProvedArchive } from '../../main/archives/verify.ts'
import type { AccountDoubt } from '../../main/archives/write.ts'
import { publicKeyId } from '../../platform/signing.ts'
import { repeated, uuid, wordOf } from '../arguments.ts'
import { argument, command, groupOf, option, required } from '../command.ts'
import { openProgress, paint, print, snakeCased } from '../output.ts'
import { moment, timeText } from '../times.ts'
import { printMany, type Shows } from '../view.ts'
import { asOperator, OPERATOR, operatorName } from '../operator/as-operator.ts'
import { sizeText } from '../operator/backup.ts'

const create = command('create', 'write what is sealed into files; go on where the last run stood', {
  examples: [
    'gateway archive --into /mnt/archive',
    'gateway archive --before 2026-10-01 --into /mnt/archive',
    'gateway archive --before 90d --account 0198c0de-0000-7a2b-8000-0123456789ab --into /mnt/archive',
  ],
  notes: `Reads only, beside a gateway at work or without one. The files hold all of what contracts say, in plain text:
keep them as you keep the database. Exit code 1 where a past is not what was sealed. What is in them: docs/archives.md.`,
  options: {
    into: required(option('<dir>', 'where the files go; one directory for all runs', (text) => resolve(text))),
    before: option('<when>', 'what was sealed before then (default: all that is sealed)', moment),
    account: option('<id>', 'of this account alone', uuid),
  },
  run: async ({ into, before, account }) => {
    const until = before?.first() ?? new Date().toISOString()
    const progress = openProgress()
    const onAccount = (done: number, total: number) => progress.show(done, total, `account ${done} of ${total}`)
    try {
      return await asOperator((operator) =>
        operator.archive({ into, before: until, accountId: account ?? null, onAccount }),
      )
    } finally {
      progress.end()
    }
  },
  json: (written) => snakeCased(written),
  print: ({ accounts, files, steps, entries, bytes, doubts }, { into }) => {
    for (const doubt of doubts) printDoubt(doubt)
    const what = `${steps} steps and ${entries} ledger rows in ${files} files, ${sizeText(bytes)}`
    if (files === 0) print(`Nothing new for ${into}, of ${accounts} accounts.`)
    else print(`${paint('green', 'Written')} to ${into}: ${what}, of ${accounts} accounts.`)
  },
  failed: ({ doubts }) => doubts.length > 0,
})

const printDoubt = ({ accountId, row, problem }: AccountDoubt) =>
  print(
    `${paint('red', 'not archived further')}: account ${accountId}\n  ${row}: ${problem}\n  See what it is: gateway verify`,
  )

const publicKey = wordOf('Give the public key as gateway seals key prints it.', (text) => {
  const key = Buffer.from(text, 'base64')
  return key.length === 32 && key.toString('base64') === text ? key : null
})

const place = wordOf('Say where the archive is kept, in 1 to 200 characters.', (text) => {
  const trimmed = text.trim()
  return trimmed === '' || trimmed.length > 200 ? null : trimmed
})

/** Proved without a database; with a note also whether it was noted. */
type Verified = ProvedArchive & Partial<Pick<NotedArchive, 'note'>>

const PROVED: Shows<Verified> = [
  ['account', 'accountId'],
  ['seals', ({ seals }) => String(seals)],
  ['steps', ({ steps }) => String(steps)],
  ['ledger rows', ({ entries }) => String(entries)],
  ['without document', ({ removed }) => (removed === 0 ? null : String(removed))],
  ['until', ({ until }) => (until === null ? null : timeText(until))],
  ['note', ({ note }) => note ?? null],
]

const NOT_NOTED: Readonly<Record<Exclude<NotedArchive['note'], 'noted'>, string>> = {
  'not believed': 'there is no seal in it',
  'no seal of these books':
    'it does not end with a seal that these books have: they are others, or were restored to before it',
  'a document is not in it': 'it lacks a document that the database has: write the archive anew',
}

const verify = command('verify', 'prove archives by their seals, without a database or a network; or note them', {
  examples: [
    'gateway archive verify /mnt/archive --key 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    'gateway archive verify /mnt/archive --json',
    'gateway archive verify /mnt/archive --note "two tapes, at the bank and in the safe"',
  ],
  notes: `The key is what gateway seals key prints; give --key again where it was replaced. Without one, the keys beside the
files are taken, which proves that they are of one piece and not whose they are. Exit code 1 where they are not believed.
With --note it is noted in the database of the gateway, of each account that holds and ends with a seal of these books: documents that are
in a noted archive leave the database after GATEWAY_EVENT_DAYS (docs/growth.md). Keep every archive that was noted.`,
  arguments: [argument('<dir>', 'where gateway archive has written')],
  options: {
    key: option('<base64>', 'a public key that you trust', repeated(publicKey)),
    note: option('<where>', 'note in the database that it was proved, and where it is kept', place),
    ...OPERATOR,
  },
  run: async ({ key, note, operator: name }, directory) => {
    const [{ readArchive }, { verifyArchives }] = await Promise.all([
      import('../../main/archives/manifest.ts'),
      import('../../main/archives/verify.ts'),
    ])
    const beside = () => (readArchive(directory)?.keys ?? []).map((each) => Buffer.from(each.public_key, 'base64'))
    const keys = new Map((key ?? beside()).map((each) => [publicKeyId(each), each]))
    const progress = openProgress()
    const onAccount = (done: number, total: number) => progress.show(done, total, `account ${done} of ${total}`)
    try {
      const trusted = { known: (id: string) => keys.get(id) ?? null }
      const accounts: readonly Verified[] =
        note === undefined
          ? await verifyArchives(directory, trusted, onAccount)
          : await asOperator((operator) =>
              operator.noteArchives({ directory, keys: trusted, kept: note, operator: operatorName(name), onAccount }),
            )
      const holds = accounts.every(({ fault, note: noted = 'noted' }) => fault === null && noted === 'noted')
      return { holds, keyTrusted: key !== undefined && holds, keys: [...keys.keys()], accounts }
    } finally {
      progress.end()
    }
  },
  json: (proved) => snakeCased(proved),
  print: ({ holds, keyTrusted, keys, accounts }) => {
    printMany(accounts, PROVED)
    print()
    for (const { accountId, fault, note = 'noted' } of accounts)
      if (fault) print(`${paint('red', 'not believed')}: account ${accountId}\n  ${fault.file}: ${fault.problem}`)
      else if (note !== 'noted') print(`${paint('red', 'not noted')}: account ${accountId}\n  ${NOT_NOTED[note]}`)
    if (!holds) return
    print(
      `${paint('green', 'The archives hold')}: all of them is what was sealed, from the first seal of each account on.`,
    )
    if (!keyTrusted)
      print(`Signed by ${keys.join(', ')}: is that the key of this gateway? Say which you trust with --key.`)
  },
  failed: ({ holds }) => !holds,
})

export const archive = groupOf(
  'archive',
  'write the sealed past into files, and prove such files without the database',
  [],
)
archive.addCommand(create, { isDefault: true }).addCommand(verify)
