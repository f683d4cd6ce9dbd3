// What a tool would do that binds or moves money: who, how much, at what price, by when, from where. Shown before it is done;
// what is shown is what the confirmation holds for.
import { type Gateway, GatewayError, type Transfer, type Wallet } from '../../../sdk/src/index.ts'
import { digitsOf } from '../../domain/money/currencies.ts'
import { majorNumber, parseDecimal } from '../../domain/money/money.ts'
import { moneyText } from '../view.ts'
import type { Unanswered } from './confirmations.ts'
import { type Said, type Session, ToolFailed } from './tool.ts'
import { type Contract, messageLines, recipientWords } from './words.ts'

/** What the key's mandate has of the currency, before and after; null where nothing bounds it in all. */
type FromMandate = {
  readonly remaining: number
  readonly remaining_after: number
  /** More than this at a time waits for a member's approval; null where nobody is asked. */
  readonly approval_above: number | null
  readonly until: string | null
}

/** The wallet that pays, before and after. */
type FromWallet = {
  readonly id: string
  readonly label: string | null
  readonly available: number
  readonly available_after: number
}

export type Deed = {
  /** What would be done, as the end of "This would …". */
  readonly would: string
  readonly contract: Contract
  /** What leaves the account, fee included; 0 where nothing does. */
  readonly leaves: number
  readonly wallet: FromWallet | null
  readonly mandate: FromMandate | null
  /** By when it arrives, done now; null where nobody can say, or nothing is paid. Asked only where it is shown. */
  readonly arrival: () => Promise<string | null>
  /** What else makes it this deed: the rest of the input. */
  readonly input: object
}

/** The deed as it is shown. */
export type Shown = ReturnType<typeof shownAt>

/** The arrival of a deed that pays nothing. */
export const noArrival = async () => null

export const shown = async (deed: Deed): Promise<Shown> => shownAt(deed, await deed.arrival())

function shownAt({ contract, would, leaves, wallet, mandate }: Deed, arrivesAt: string | null) {
  const { preview, recipient, channel } = contract
  return {
    would,
    contract: { id: contract.id, kind: contract.kind, status: contract.status, version: contract.version },
    livemode: contract.livemode,
    to: recipient,
    currency: contract.currency,
    leaves,
    fee: preview.fees?.total ?? null,
    arrives: preview.receive_amount,
    arrives_at: arrivesAt,
    channel: channel?.id ?? null,
    wallet,
    mandate,
    messages: preview.messages,
  }
}

function words({ contract, would, leaves, wallet, mandate }: Deed, { arrives_at: arrivesAt }: Shown): string {
  const { currency, preview, livemode } = contract
  return [
    `This would ${would}`,
    ...(contract.kind === 'transfer' ? [`Recipient: ${recipientWords(contract)}.`] : []),
    ...(arrivesAt === null ? [] : [`Paid now, it arrives by ${arrivesAt}.`]),
    ...(wallet === null ? [] : [walletWords(wallet, currency)]),
    ...(mandate === null ? [] : [mandateWords(mandate, leaves, currency)]),
    ...(contract.kind === 'transfer' && contract.approval?.status === 'waiting'
      ? [`It is not paid yet: it waits for approval. ${contract.approval.who}`]
      : []),
    ...(livemode ? ['This is real money.'] : ['This is TEST: no real money.']),
    ...messageLines(preview),
  ].join('\n')
}

function walletWords({ id, available, available_after: after }: FromWallet, currency: string): string {
  return `From wallet ${id}: ${moneyText(available, currency)} available, ${moneyText(after, currency)} afterwards.`
}

function mandateWords(mandate: FromMandate, leaves: number, currency: string): string {
  const { remaining, remaining_after: after, until, approval_above: above } = mandate
  const end = until === null ? '' : ` It ends at ${until}.`
  const asks =
    above === null || leaves <= above
      ? ''
      : ` It lets your key pay more than ${moneyText(above, currency)} only once a member has approved it.`
  if (after < 0) return `Of the mandate of your key ${moneyText(remaining, currency)} remain: not enough.${end}`
  return `Of the mandate of your key ${moneyText(remaining, currency)} remain, ${moneyText(after, currency)} afterwards.${end}${asks}`
}

/** A call of a tool whose deed needs a confirmation. */
export type Asked = {
  readonly tool: string
  /** All of it but the confirmation. */
  readonly input: object
  readonly confirmation: string | undefined
}

/** What the call would do as things stand, and how the gateway does it once, under that key. */
export type Plan = { readonly deed: Deed; readonly carryOut: (idempotencyKey: string) => Promise<Said> }

/**
 * Shows the deed, or does it where the call brings the confirmation of this very deed. A call that nobody has answered is sent again
 * as it was, whatever the contract has become: it may be that very call that changed it, and the gateway knows it by its key.
 */
export async function confirmed({ confirmations }: Session, asked: Asked, plan: () => Promise<Plan>): Promise<Said> {
  const { tool, confirmation } = asked
  const before = confirmation === undefined ? null : confirmations.unanswered(confirmation)
  if (confirmation !== undefined && before) {
    if (before.call !== callText(asked)) throw new ToolFailed('confirmation_changed', OTHER_CALL)
    return answered(confirmations, confirmation, before)
  }
  const { deed, carryOut } = await plan()
  const text = boundText(deed)
  if (confirmation === undefined) {
    const preview = await shown(deed)
    const given = confirmations.give(tool, text)
    const until = new Date(given.expiresAt).toISOString()
    const how = `Nothing has happened yet. Show this to the person you act for. To do it, call ${tool} again with the same input and this confirmation, before ${until}:`
    return {
      text: `${words(deed, preview)}\n${how}\n${given.confirmation}`,
      data: { done: false, preview, confirmation: given.confirmation, confirmation_expires_at: until },
    }
  }
  const taken = confirmations.take(tool, text, confirmation)
  if (typeof taken === 'string') throw new ToolFailed(`confirmation_${taken}`, NOT_TAKEN[taken], { done: false })
  const send = () => carryOut(taken.idempotencyKey)
  return answered(confirmations, confirmation, { call: callText(asked), send })
}

/** Sends the call, and keeps it where nobody has decided it: it may have been done, and only the same call tells. */
async function answered(
  confirmations: Session['confirmations'],
  confirmation: string,
  call: Unanswered<Said>,
): Promise<Said> {
  try {
    const said = await call.send()
    confirmations.keep(confirmation, null)
    return said
  } catch (fault) {
    const isOpen = fault instanceof GatewayError && !fault.isRefusal
    confirmations.keep(confirmation, isOpen ? call : null)
    throw fault
  }
}

/** Two calls of one text are the same call. */
const callText = ({ tool, input }: Asked) =>
  JSON.stringify([tool, Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1))])

const OTHER_CALL =
  'A call with this confirmation was sent and not answered, and it was another one than this. Send that one again, with the same input, to hear what became of it.'
const AGAIN = 'Call without a confirmation to see it as it stands now.'
// A call of before may have been done, its answer lost, and this session or this confirmation be no more the one that knows.
const LOOK = `This call did nothing. If an earlier one was not answered, look first whether it was done: get_contract. ${AGAIN}`
const NOT_TAKEN = {
  unknown: `The confirmation is none that this session gave for this tool. ${LOOK}`,
  expired: `The confirmation has expired. ${LOOK}`,
  used: 'The confirmation was used already: what it was for has been done, or was refused, and was not done again. Look: get_contract.',
  changed: `What would be done is not what was shown: the contract, the wallet or the input has changed since. Nothing was done. ${AGAIN}`,
} as const

/** All that must not differ between what was shown and what is done. What a wallet has meanwhile may. */
function boundText(deed: Deed): string {
  const { contract, leaves, wallet, input } = deed
  const { id, version, status, currency, amount, recipient, channel, preview } = contract
  const price = [preview.amount, preview.fees?.total ?? null, preview.receive_amount, preview.asset?.amount ?? null]
  return JSON.stringify([
    [id, version, status, currency, amount, recipient, channel, price],
    [leaves, wallet?.id ?? null, deed.would],
    input,
  ])
}

/** The wallet that would pay: the named one, or the default of the currency. Null where the key may read none. */
export async function walletFor(
  gateway: Gateway,
  { currency, preview }: Contract,
  named: string | undefined,
): Promise<FromWallet | null> {
  const found = await readable(() => paying(gateway, currency, named))
  if (found === null) return null
  const { id, label, available } = found
  return { id, label, available, available_after: difference(available, preview.amount, currency) }
}

async function paying(gateway: Gateway, currency: string, named: string | undefined): Promise<Wallet | null> {
  if (named !== undefined) return (await gateway.wallets.get(named)).wallet
  for await (const wallet of gateway.wallets.list({ currency })) if (wallet.default) return wallet
  return null
}

/** What is left of the key's mandate once so much has left. */
export async function mandateFor(gateway: Gateway, currency: string, leaves: number): Promise<FromMandate | null> {
  const { mandate } = await gateway.keys.current()
  const limit = mandate?.limits.find((each) => each.currency === currency)
  if (!mandate || !limit) return null
  const { remaining, approval_above } = limit
  return { remaining, remaining_after: difference(remaining, leaves, currency), approval_above, until: mandate.until }
}

/**
 * By when a transfer arrives that is paid now: before it is paid, its own preview says it as of when its version was made. Null where the
 * channel has other terms by now, and where it is not known: that keeps nobody from paying.
 */
export async function arrivalNow(gateway: Gateway, contract: Transfer): Promise<string | null> {
  const { status, amount, currency, channel, preview } = contract
  if (status !== 'draft' && status !== 'issued') return preview.arrives_at
  try {
    const { channels } = await gateway.channels.compare({ amount, currency })
    const offer = channels.find((each) => each.channel.policy.uri === channel?.policy.uri)
    return offer?.arrives_at ?? null
  } catch (fault) {
    if (fault instanceof GatewayError) return null
    throw fault
  }
}

/** What the key may not read is left out of what is shown; what may be done is the gateway's to say. */
async function readable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (fault) {
    if (fault instanceof GatewayError && fault.status === 403) return null
    throw fault
  }
}

/** Exact, as no difference of two floats is. */
export function difference(from: number, less: number, currency: string): number {
  const [a, b] = [from, less].map((major) => parseDecimal(Math.abs(major), digitsOf(currency)))
  if (!a || !b || 'fault' in a || 'fault' in b) throw new Error('a reply of the gateway has an amount of its currency')
  const minor = (from < 0 ? -a.scaled : a.scaled) - (less < 0 ? -b.scaled : b.scaled)
  return majorNumber(minor, currency)
}
