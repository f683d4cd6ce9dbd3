// gateway transfers send: a transfer in one command: made, shown with its fee, agreed to, issued, paid, and with --wait followed to
// its end. Cut off anywhere and run again with the same key, it goes on where it was, and the money moves once.
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { durationSeconds } from '../arguments.ts'
import { call, get, looking, post, put } from '../client.ts'
import { command, flag, idOption, option, PLACE, required, type Values } from '../command.ts'
import { agreed, noteLive, refuseUnanswerable } from '../confirm.ts'
import { CommandFailed } from '../failures.ts'
import { note, openProgress, print } from '../output.ts'
import { isLiveKey, type Place, placeOf } from '../place.ts'
import { stateText } from '../view.ts'
import { DRAFT, draftOf } from './contract-commands.ts'
import { type Contract, payWords, printMessages, printTransfer } from './contract-view.ts'
import { PROFILE, RECIPIENT, recipientOf } from './recipient.ts'

const PATH = '/contracts/transfer'

const SEND = {
  ...DRAFT,
  amount: required(DRAFT.amount),
  currency: required(DRAFT.currency),
  ...RECIPIENT,
  ...PROFILE,
  source: idOption('<wallet>', 'the wallet that pays (default: that of the currency)', 'wallet'),
  wait: flag('wait until the money has arrived, or has come back'),
  timeout: option('<duration>', 'with --wait: for how long (default: until it ends)', durationSeconds),
  idempotencyKey: option(
    '<key>',
    'what makes it this one transfer: the same again goes on where it was (default: made from --reference)',
  ),
  ...PLACE,
  yes: flag('pay without asking'),
}
type Sending = Values<typeof SEND>
type Reply = { readonly contract: Contract }

export const send = command('send', 'send money in one go: make, show, ask, issue and pay, and with --wait follow', {
  examples: [
    'gateway transfers send --amount 1500 --currency PHP --channel sandbox --to-name "Ana Cruz" --to-wallet 0012345678 --wait',
    'gateway transfers send --amount 1500 --currency PHP --profile 0198… --reference salary-11-ana --wait --yes',
    'gateway transfers send --amount 99.95 --currency PHP --channel sandbox --to-name Ana --to-wallet 1 --idempotency-key order-17 --yes',
  ],
  options: SEND,
  notes:
    'With the same --idempotency-key, or without one the same --reference, it is the same transfer for seven days: what was cut off\n' +
    'goes on where it was, and nothing is paid twice. After that it is a new one. Exit code 1 when the money did not arrive.',
  run: sendMoney,
  print: ({ contract }) => {
    print(`The transfer is ${stateText(contract.status)}.`)
    printTransfer({ contract })
  },
  failed: ({ contract }) => FAILED_ENDS.includes(contract.status),
})

const FAILED_ENDS: readonly string[] = ['cancelled', 'expired', 'returned']
const ENDS: readonly string[] = ['completed', ...FAILED_ENDS]

async function sendMoney(options: Sending): Promise<Reply> {
  refuseUnanswerable(options.yes)
  const place = placeOf(options)
  const key = keyOf(options, 'send')
  const drafted = await call<Reply>(place, post(PATH, bodyOf(options), { idempotencyKey: key }))
  const path = `${PATH}/${drafted.contract.id}`
  // A repeated create answers as it did then; what became of it since is read.
  const { contract } = await call<Reply>(place, get(path))
  const sent = isPayable(contract) ? await payOrName(place, path, contract, options, key) : contract
  return { contract: options.wait ? await ended(place, path, sent, options, key) : sent }
}

/** Without a key of the caller's a new transfer; its key is said, for who has to go on. */
export function keyOf(
  { idempotencyKey, reference }: Pick<Sending, 'idempotencyKey' | 'reference'>,
  verb: string,
): string {
  if (idempotencyKey !== undefined) return idempotencyKey
  if (reference !== undefined) return `${verb}-${createHash('sha256').update(reference).digest('hex').slice(0, 40)}`
  const made = `${verb}-${randomUUID()}`
  note(`If this is cut off, run it again with: --idempotency-key ${made}`)
  return made
}

const bodyOf = (options: Sending) => draftOf(options, { recipient: recipientOf(options) })

export const isPayable = ({ status }: Contract) => status === 'draft' || status === 'issued'

/** From which wallet, and whether that is agreed to beforehand. */
type Paying = Pick<Sending, 'source' | 'yes'>

/** Pays it, or names the transfer that was made and how to go on with it: who sends anew without its key sends another one. */
export async function payOrName(
  place: Place,
  path: string,
  contract: Contract,
  options: Paying,
  key: string,
): Promise<Contract> {
  try {
    return await pay(place, path, contract, options)
  } catch (fault) {
    if (!(fault instanceof CommandFailed)) throw fault
    const details = (fault.details ?? { code: 'not_paid', message: fault.message }) as Readonly<Record<string, unknown>>
    if ('contract_id' in details) throw fault
    const { id } = contract
    const waits =
      details['code'] === 'approval_required' ? ` A member approves it: gateway approvals approve ${id}.` : ''
    throw new CommandFailed(
      `${fault.message}\nThe transfer ${id} was made.${waits} To go on with it: the same command with --idempotency-key ${key}. To drop it: gateway transfers cancel ${id}`,
      { ...details, contract_id: id, idempotency_key: key },
    )
  }
}

/** Pays what was shown and agreed to: where another price came up since, the gateway refuses. */
async function pay(place: Place, path: string, contract: Contract, options: Paying): Promise<Contract> {
  if (!contract.preview.valid) throw lacking(contract)
  const isLive = isLiveKey(place.apiKey)
  await agreed(() => ({ about: `${payWords(contract)} Pay it?`, isLive }), options.yes)
  if (options.yes) noteLive(isLive)
  const preview = { amount: contract.preview.amount }
  if (contract.status === 'draft') await call(place, put(`${path}/issue`, { preview }))
  return (await call<Reply>(place, put(`${path}/pay`, { preview, source: options.source }))).contract
}

function lacking(contract: Contract): CommandFailed {
  printMessages(contract)
  const { id, preview } = contract
  return new CommandFailed(
    `The draft ${id} still lacks something, and nothing was paid. Mend it (gateway transfers update ${id} …), then: gateway transfers issue, and pay.`,
    { code: 'requirements_not_met', contract_id: id, messages: preview.messages },
  )
}

const POLL_MS = 500

/** The contract at its end. A gateway that is away is waited for: it is paid, and who hears of a failure alone sends another one. */
export async function ended(
  place: Place,
  path: string,
  paid: Contract,
  { timeout }: Pick<Sending, 'timeout'>,
  key: string,
): Promise<Contract> {
  const progress = openProgress()
  const until = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000
  const look = looking<Reply>(place, get(path), (words) => progress.aside(() => note(words)))
  let contract = paid
  try {
    while (!ENDS.includes(contract.status)) {
      progress.show(STEPS.indexOf(contract.transfer.status) + 1, STEPS.length + 1, waitWords(contract))
      if (performance.now() > until)
        throw new CommandFailed(
          `The transfer ${contract.id} has not ended yet: it is ${contract.status}, ${contract.transfer.status}. Follow it: gateway transfers watch ${contract.id}`,
          { code: 'not_ended', contract, ...namesOf(contract, key) },
        )
      await sleep(POLL_MS)
      contract = (await look())?.contract ?? contract
    }
    return contract
  } catch (fault) {
    throw named(fault, contract, key)
  } finally {
    progress.end()
  }
}

/** A failure while it was waited for, with the transfer that it is about and how to wait on. */
function named(fault: unknown, contract: Contract, key: string): unknown {
  if (!(fault instanceof CommandFailed)) return fault
  const details = (fault.details ?? { code: 'not_ended', message: fault.message }) as object
  if ('contract_id' in details) return fault
  const { id, status } = contract
  return new CommandFailed(
    `${fault.message}\nThe transfer ${id} is ${status}. To wait on: the same command with --idempotency-key ${key}, or gateway transfers watch ${id}`,
    { ...details, ...namesOf(contract, key) },
  )
}

const namesOf = ({ id, status }: Contract, key: string) => ({ contract_id: id, status, idempotency_key: key })

/** As far as a transfer has come, for the bar. */
const STEPS: readonly string[] = ['none', 'queued', 'submitting', 'accepted', 'delivered']

const waitWords = ({ status, transfer }: Contract) => `${status}, the transfer is ${transfer.status}`
