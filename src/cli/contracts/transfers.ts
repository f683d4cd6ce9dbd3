// gateway transfers: transfer contracts over HTTP. Each command is parse, one call, print. Only a resolution is the
// operator's, on the database itself.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import { ENDED } from '../../domain/contract/ended.ts'
import { wholeNumber } from '../arguments.ts'
import { call, get, patch, post, put, remove } from '../client.ts'
import { apiCommand, choice, command, groupOf, idOption, option, required } from '../command.ts'
import { asOperator, DEED, deedOf } from '../operator/as-operator.ts'
import { print } from '../output.ts'
import { type PlaceOptions, placeOf } from '../place.ts'
import { stateText } from '../view.ts'
import {
  TRANSFER_ID,
  DRAFT,
  draftOf,
  getCommand,
  IDEMPOTENCY,
  type Kind,
  contractList,
  REASON,
  watchCommand,
} from './contract-commands.ts'
import { attemptsCommand, deliveriesCommand, entriesCommand, explainCommand } from './contract-records.ts'
import { type Contract, payWords, printTransfer, printWholeTransfer, TRANSFER_CSV, TRANSFERS } from './contract-view.ts'
import { PROFILE, RECIPIENT, recipientOf } from './recipient.ts'
import { send } from './send.ts'

const PATH = '/contracts/transfer'
const TRANSFER: Kind<Contract> = {
  noun: 'transfers',
  path: PATH,
  statuses: 'draft, issued, paid, …; several after commas',
  columns: TRANSFERS,
  csv: TRANSFER_CSV,
  printWhole: printWholeTransfer,
  ends: ENDED,
}
const TRANSFER_DRAFT = {
  ...DRAFT,
  ...RECIPIENT,
  ...PROFILE,
}
/** Binds a change to the version that was read. */
const GUARD = {
  ifMatch: option('<version>', 'only if the contract still stands at this version, as "get" shows it', wholeNumber),
}

const create = apiCommand('create', 'make a draft; only amount and currency are needed at once', {
  examples: [
    'gateway transfers create --amount 1500 --currency PHP --channel sandbox --to-name "Ana Cruz" --to-wallet 0012345678',
    'gateway transfers create --amount 1500 --currency PHP --profile 0198…',
    `gateway transfers create --data '{"amount":1500,"currency":"PHP"}' --idempotency-key order-17`,
  ],
  options: { ...TRANSFER_DRAFT, ...IDEMPOTENCY },
  call: ({ idempotencyKey, ...draft }) =>
    post(PATH, draftOf(draft, { recipient: recipientOf(draft) }), { idempotencyKey }),
  print: printTransfer,
})

const update = apiCommand('update', 'change a draft; only what is given changes', {
  examples: [
    'gateway transfers update 0198… --to-wallet 0012345678',
    'gateway transfers update 0198… --metadata order=17 --if-match 3',
  ],
  arguments: [TRANSFER_ID],
  options: { ...GUARD, ...TRANSFER_DRAFT },
  call: ({ ifMatch, ...draft }, id) =>
    patch(`${PATH}/${id}`, draftOf(draft, { recipient: recipientOf(draft) }), { ifMatch }),
  print: printTransfer,
})

const payQuestion = async (options: PlaceOptions, id: string): Promise<string> => {
  const { contract } = await call<{ contract: Contract }>(placeOf(options), get(`${PATH}/${id}`))
  return `${payWords(contract)} Pay it?`
}

/** The price stays what was agreed: what may be another than before is the way. */
const retryQuestion = async ({ channel, ...options }: PlaceOptions & Chosen, id: string): Promise<string> => {
  const { contract } = await call<{ contract: Contract }>(placeOf(options), get(`${PATH}/${id}`))
  return `${payWords(contract, channel)} Try it again?`
}
type Chosen = { readonly channel: string | undefined }

const issue = apiCommand('issue', 'freeze the terms of a valid draft', {
  examples: ['gateway transfers issue 0198…'],
  arguments: [TRANSFER_ID],
  options: GUARD,
  call: ({ ifMatch }, id) => put(`${PATH}/${id}/issue`, undefined, { ifMatch }),
  print: printTransfer,
})

const pay = apiCommand('pay', 'pay an issued contract from a wallet', {
  examples: ['gateway transfers pay 0198…'],
  arguments: [TRANSFER_ID],
  options: { ...GUARD, source: idOption('<wallet>', 'the wallet (default: that of the currency)', 'wallet') },
  confirm: payQuestion,
  call: ({ ifMatch, source }, id) => put(`${PATH}/${id}/pay`, { source }, { ifMatch }),
  print: printTransfer,
})

const cancel = apiCommand('cancel', 'cancel a contract; what was paid and did not arrive comes back', {
  examples: ['gateway transfers cancel 0198… --reason "ordered twice"'],
  arguments: [TRANSFER_ID],
  options: { ...GUARD, ...REASON },
  call: ({ ifMatch, reason }, id) => remove(`${PATH}/${id}`, { reason }, { ifMatch }),
  print: printTransfer,
})

const retry = apiCommand('retry', 'try a transfer again that failed for good, with a new attempt and a new hold', {
  examples: ['gateway transfers retry 0198…', `gateway transfers retry 0198… --channel ${EXAMPLES.batch}`],
  arguments: [TRANSFER_ID],
  options: { channel: option('<id>', 'another channel (default: that of the attempt that failed)') },
  confirm: retryQuestion,
  call: ({ channel }, id) => put(`${PATH}/${id}/retry`, { channel }),
  print: printTransfer,
})

const resolve = command(
  'resolve',
  'say how a transfer ended whose channel gives no result; kept with who said it and why',
  {
    examples: ['gateway transfers resolve 0198… --as delivered --evidence "bank letter of 3 March, ticket 4711"'],
    arguments: [TRANSFER_ID],
    options: { as: required(choice('<outcome>', 'what became of it', ['delivered', 'failed'])), ...DEED },
    confirm: ({ as }, id) =>
      `Say that transfer ${id} ${as === 'delivered' ? 'has arrived' : 'has failed, and give its money back'}?`,
    run: async ({ as, ...options }, id) => {
      const deed = deedOf(options)
      const { contract } = await asOperator((operator) => operator.resolve(id, as, deed))
      return { contract_id: id, status: contract.status, transfer: contract.execution.status, as, ...deed }
    },
    print: ({ as, status }) => print(`The transfer is resolved as ${as}. The contract is ${stateText(status)}.`),
  },
)

export const transfers = groupOf(
  'transfers',
  'create, change, issue, pay, cancel and read transfer contracts, and unstick them',
  [
    send,
    create,
    update,
    issue,
    pay,
    cancel,
    getCommand(TRANSFER, 'show a contract with its history'),
    contractList(TRANSFER, '--limit 100'),
    watchCommand(TRANSFER, 'follow a contract until it ends'),
    retry,
    explainCommand(TRANSFER),
    attemptsCommand(TRANSFER),
    entriesCommand(TRANSFER),
    deliveriesCommand(TRANSFER),
    resolve,
  ],
)
