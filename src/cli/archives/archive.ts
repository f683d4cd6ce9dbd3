// gateway archive: writes the sealed past of accounts into files, and proves such files by public keys alone.
import { resolve } from 'node:path'
import type { ProvedArchive } from '../../main/archives/verify.ts'
import type { AccountDoubt } from '../../main/archives/write.ts'
import { publicKeyId } from '../../platform/signing.ts'
import { repeated, uuid, wordOf } from '../arguments.ts'
import { argument, command, groupOf, option, required } from '../command.ts'
import { openProgress, paint, print, snakeCased } from '../output.ts'
import { moment, timeText } from '../times.ts'
import { printMany, type Shows } from '../view.ts'
import { asOperator } from '../operator/as-operator.ts'
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

const PROVED: Shows<ProvedArchive> = [
  ['account', 'accountId'],
  ['seals', ({ seals }) => String(seals)],
  ['steps', ({ steps }) => String(steps)],
  ['ledger rows', ({ entries }) => String(entries)],
  ['until', ({ until }) => (until === null ? null : timeText(until))],
]

const verify = command('verify', 'prove archives by their seals, without a database or a network', {
  examples: [
    'gateway archive verify /mnt/archive --key 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    'gateway archive verify /mnt/archive --json',
  ],
  notes: `The key is what gateway seals key prints; give --key again where it was replaced. Without one, the keys beside the
files are taken, which proves that they are of one piece and not whose they are. Exit code 1 where they are not believed.`,
  arguments: [argument('<dir>', 'where gateway archive has written')],
  options: { key: option('<base64>', 'a public key that you trust', repeated(publicKey)) },
  run: async ({ key }, directory) => {
    const [{ readArchive }, { verifyArchives }] = await Promise.all([
      import('../../main/archives/manifest.ts'),
      import('../../main/archives/verify.ts'),
    ])
    const beside = () => (readArchive(directory)?.keys ?? []).map((each) => Buffer.from(each.public_key, 'base64'))
    const keys = new Map((key ?? beside()).map((each) => [publicKeyId(each), each]))
    const progress = openProgress()
    const onAccount = (done: number, total: number) => progress.show(done, total, `account ${done} of ${total}`)
    try {
      const accounts = await verifyArchives(directory, { known: (id) => keys.get(id) ?? null }, onAccount)
      const holds = accounts.every(({ fault }) => fault === null)
      return { holds, keyTrusted: key !== undefined && holds, keys: [...keys.keys()], accounts }
    } finally {
      progress.end()
    }
  },
  json: (proved) => snakeCased(proved),
  print: ({ holds, keyTrusted, keys, accounts }) => {
    printMany(accounts, PROVED)
    print()
    for (const { accountId, fault } of accounts)
      if (fault) print(`${paint('red', 'not believed')}: account ${accountId}\n  ${fault.file}: ${fault.problem}`)
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
