// gateway seals: the key that signs histories, the heads to keep where nobody who can write the database can, and whether the books
// still go on from them.
import { readFileSync } from 'node:fs'
import { headsFromText, type KeptHead, keptHead } from '../../app/seals/kept-heads.ts'
import type { SealHead } from '../../store/seals/seals.ts'
import { argument, command, groupOf } from '../command.ts'
import { CommandFailed } from '../failures.ts'
import { paint, print, printPairs } from '../output.ts'
import { timeText } from '../times.ts'
import { printMany, type Shows } from '../view.ts'
import { asOperator } from './as-operator.ts'

const key = command('key', 'print the public key that seals and receipts are signed with', {
  examples: ['gateway seals key', 'gateway seals key --json'],
  notes: 'Publish it where those who get receipts find it. It follows from the sealing key, and changes with that.',
  run: async () => {
    const found = await asOperator((operator) => Promise.resolve(operator.sealKey()))
    if (found === null)
      throw new CommandFailed(
        'The sealing key is not here: GATEWAY_SEALING_KEYS, or sealing.key of the data directory.',
      )
    return { id: found.keyId, algorithm: 'Ed25519', public_key: found.publicKey.toString('base64') }
  },
  print: ({ id, public_key: publicKey }) =>
    printPairs([
      ['key', id],
      ['public key', publicKey],
    ]),
})

const HEADS: Shows<KeptHead> = [
  ['account', 'account_id'],
  ['seal', ({ number }) => String(number)],
  ['up to', ({ position }) => String(position)],
  ['sealed', ({ sealed_at: at }) => timeText(at)],
  ['hash', 'hash'],
]

const heads = command('heads', 'print the newest seal of every account, to be kept elsewhere', {
  examples: ['gateway seals heads', 'gateway seals heads --json > heads.json'],
  run: async () => ({ heads: (await asOperator((operator) => operator.sealHeads())).map(keptHead) }),
  print: ({ heads: all }) => printMany(all, HEADS),
})

const check = command('check', 'tell whether the books still go on from heads that were kept', {
  examples: ['gateway seals check heads.json'],
  notes: 'Exit code 1 where they do not. What is behind the seals is proved by: gateway verify',
  arguments: [argument('<file>', 'what gateway seals heads --json has printed, or heads.json of a backup')],
  run: async (_, file) => {
    const kept = headsIn(file)
    const faults = await asOperator((operator) => operator.checkSealHeads(kept))
    const shownFaults = faults.map(({ accountId, number, problem }) => ({ account_id: accountId, number, problem }))
    return { holds: faults.length === 0, heads: kept.length, faults: shownFaults }
  },
  print: ({ faults, heads: count }) => {
    for (const { account_id: account, number, problem } of faults)
      print(`${paint('red', 'does not go on')}: seal ${number} of account ${account}: ${problem}`)
    if (faults.length === 0) print(`${paint('green', 'The books go on')} from all of ${count} heads.`)
  },
  failed: ({ holds }) => !holds,
})

/** The heads of a file that `gateway seals heads --json` has printed. Throws {@link CommandFailed}. */
export function headsIn(file: string): SealHead[] {
  try {
    return headsFromText(readFileSync(file, 'utf8'))
  } catch (fault) {
    throw new CommandFailed(
      `${file} does not hold heads of seals (${(fault as Error).message}). Make it with: gateway seals heads --json`,
    )
  }
}

export const seals = groupOf('seals', 'prove that no sealed past was changed', [key, heads, check])
