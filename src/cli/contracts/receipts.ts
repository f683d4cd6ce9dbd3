// gateway receipts: gets the signed receipt of a contract, and checks one without a gateway, a key or a network.
import { readFileSync } from 'node:fs'
import { type DoubtedReceipt, type Receipt, type VerifiedReceipt, verifyReceipt } from '../../../sdk/src/index.ts'
import { displayText } from '../../domain/money/money.ts'
import { commaWords } from '../arguments.ts'
import { call, get } from '../client.ts'
import { argument, choice, command, groupOf, option, PLACE } from '../command.ts'
import { CommandFailed, Misused } from '../failures.ts'
import { paint, print, printJson, printPairs } from '../output.ts'
import { placeOf } from '../place.ts'
import { timeText } from '../times.ts'

const getReceipt = command('get', 'print the signed receipt of a contract, as JSON', {
  examples: ['gateway receipts get 0198… > receipt.json', 'gateway receipts get 0198… --kind payment > receipt.json'],
  notes: 'It shows what may be handed on: terms, recipient, status and when. Not what it cost, notes, or balances.',
  arguments: [argument('<id>', 'the contract')],
  options: { kind: choice('<kind>', 'transfer or payment (default: transfer)', ['transfer', 'payment']), ...PLACE },
  run: async (options, id) => {
    const path = `/contracts/${options.kind ?? 'transfer'}/${id}/receipt`
    const { receipt } = await call<{ readonly receipt: Receipt }>(placeOf(options), get(path))
    return receipt
  },
  print: (receipt) => printJson(receipt),
})

const verify = command('verify', 'check a receipt without a gateway: what it proves, or why it is not believed', {
  examples: ['gateway receipts verify receipt.json --key 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='],
  notes: `The key is what gateway seals key prints: get it from whoever runs the gateway, not from the receipt.
Exit code 1 where the receipt is not believed.`,
  arguments: [argument('<file>', 'what gateway receipts get has printed')],
  options: { key: option('<base64>', 'the public key that you trust; several after commas', commaWords) },
  run: async ({ key }, file) => {
    if (key === undefined)
      throw new Misused(
        'say which key you trust with --key. Anybody can sign a receipt with a key of their own; that of a gateway is what gateway seals key prints there.',
      )
    return verifyReceipt(read(file), key)
  },
  json: (checked) =>
    checked.isGenuine
      ? {
          is_genuine: true,
          contract_id: checked.contractId,
          contract: checked.contract,
          versions: checked.versions,
          sealed_at: checked.sealedAt,
          gateway: checked.gateway,
          installation: checked.installation,
          account: checked.account,
          keys: checked.keys,
        }
      : { is_genuine: false, reason: checked.reason },
  print: printChecked,
  failed: ({ isGenuine }) => !isGenuine,
})

function read(file: string): Receipt {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Receipt
  } catch (fault) {
    throw new CommandFailed(
      `${file} is no receipt (${(fault as Error).message}). Make one with: gateway receipts get ID`,
    )
  }
}

function printChecked(checked: VerifiedReceipt | DoubtedReceipt): void {
  if (!checked.isGenuine) return print(`${paint('red', 'Not believed')}: ${checked.reason}.`)
  const { contract, contractId, versions, sealedAt, gateway } = checked
  print(`${paint('green', 'Genuine')}, as it was sealed at ${timeText(sealedAt)} by ${gateway}.`)
  const { status, amount_minor: amount, currency, recipient, livemode, description } = contract
  printPairs([
    ['contract', contractId],
    ['mode', livemode === true ? 'live' : 'test'],
    ['status', String(status)],
    ['amount', displayText(BigInt(String(amount)), String(currency))],
    ['recipient', recipient === undefined ? null : JSON.stringify(recipient)],
    ['about', typeof description === 'string' ? description : null],
  ])
  for (const { version, event, at } of versions) print(`  ${timeText(at)}  version ${version}  ${event ?? '-'}`)
}

export const receipts = groupOf('receipts', 'get and check signed receipts of contracts', [getReceipt, verify])
