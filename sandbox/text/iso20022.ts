// What the two bank rails share of ISO 20022: finding fields in a message, and writing the status of a transaction. It
// must not know what a rail does with them.
import { decimalOf, minorOf, type Money } from './amounts.ts'
import type { Entry } from '../books/orders.ts'
import { textOf } from '../replies.ts'
import { type Codes, codeOf } from './codes.ts'
import { Malformed } from './malformed.ts'
import { type Element, leaf, node, readXml } from './xml.ts'

const ID = /^[\x21-\x7e]{1,35}$/
const MESSAGE_CHARACTERS_MAX = 105

/** The codes of ISO 20022 for those of the books. */
export const BANK_CODES: Codes = {
  invalid_account: 'AC01',
  account_closed: 'AC04',
  account_closed_later: 'AC04',
  over_limit: 'AM02',
  wrong_currency: 'AM03',
  name_missing: 'BE04',
  duplicate: 'DUPL',
}

/** The document of that namespace in a body. Throws Malformed. */
export function readMessage(body: Buffer, namespace: string): Element {
  const text = textOf(body)
  if (text === null) throw new Malformed('The message is not UTF-8.')
  const document = readXml(text)
  if (document.name !== 'Document' || document.namespace !== namespace)
    throw new Malformed(`Document is not of the namespace ${namespace}.`)
  return document
}

/** The first element at a path such as "PmtId/EndToEndId", of the namespace of where the path begins. */
function find(from: Element, path: string): Element | undefined {
  let at: Element | undefined = from
  for (const name of path.split('/'))
    at = at?.children.find((child) => child.name === name && child.namespace === from.namespace)
  return at
}

export function need(from: Element, path: string): Element {
  const found = find(from, path)
  if (!found) throw new Malformed(`${from.name}/${path} is missing.`)
  return found
}

export function findAll(from: Element, name: string): Element[] {
  return from.children.filter((child) => child.name === name && child.namespace === from.namespace)
}

/** An identification of at most 35 characters. */
export function idAt(from: Element, path: string): string {
  const { text } = need(from, path)
  if (!ID.test(text)) throw new Malformed(`${from.name}/${path} is not 1 to 35 printable characters without a space.`)
  return text
}

export function textAt(from: Element, path: string, charactersMax: number): string | null {
  const text = find(from, path)?.text ?? null
  if (text !== null && (text === '' || Array.from(text).length > charactersMax))
    throw new Malformed(`${from.name}/${path} is not 1 to ${charactersMax} characters.`)
  return text
}

/** An amount with its currency, never zero, with all decimals of the currency however it was written. */
export function moneyAt(from: Element, path: string): Money {
  const { text, attributes } = need(from, path)
  const currency = attributes.get('Ccy') ?? ''
  if (!/^[A-Z]{3}$/.test(currency)) throw new Malformed(`${from.name}/${path} has no currency in Ccy.`)
  const minor = minorOf(text, currency)
  if (minor === null) throw new Malformed(`${from.name}/${path} is no amount of ${currency}.`)
  return { amount: decimalOf(minor, currency), currency }
}

/** The payee's side of a credit transfer, which both messages write alike. */
export function payeeOf(transaction: Element): { account: string; bank: string; name: string | null } {
  const agent = need(transaction, 'CdtrAgt/FinInstnId')
  const bank = textAt(agent, 'BICFI', 11) ?? textAt(agent, 'ClrSysMmbId/MmbId', 35)
  if (bank === null) throw new Malformed('CdtrAgt/FinInstnId has neither BICFI nor ClrSysMmbId/MmbId.')
  const account = textAt(transaction, 'CdtrAcct/Id/Othr/Id', 34) ?? textAt(transaction, 'CdtrAcct/Id/IBAN', 34)
  if (account === null) throw new Malformed(`${transaction.name}/CdtrAcct/Id/Othr/Id is missing.`)
  return { account, bank, name: textAt(transaction, 'Cdtr/Nm', 140) }
}

/** TxSts, and why it is so, of an order as it stands; `pending` is the rail's code for one that is in process. */
export function statusOf(entry: Entry, pending: string): string {
  if (entry.status !== 'refused')
    return leaf('TxSts', entry.status === 'accepted' || entry.status === 'recalled' ? pending : 'ACSC')
  return rejection(codeOf(BANK_CODES, entry.code) ?? 'NARR', entry.message)
}

export function rejection(code: string, message: string | null): string {
  // A code of four characters is one of the external list; any other is the rail's own.
  const reason = node('Rsn', leaf(/^[A-Z0-9]{1,4}$/.test(code) ? 'Cd' : 'Prtry', code.slice(0, 35)))
  const information = message === null ? null : Array.from(message).slice(0, MESSAGE_CHARACTERS_MAX).join('')
  return leaf('TxSts', 'RJCT') + node('StsRsnInf', reason, leaf('AddtlInf', information))
}

/** The head of a message of the provider: a number of its own and the time. */
export function groupHeader(name: string, nowMs: number): string {
  return node('GrpHdr', leaf('MsgId', name.slice(0, 35)), leaf('CreDtTm', timeOf(nowMs)))
}

export function timeOf(atMs: number): string {
  return new Date(atMs).toISOString()
}

export const money = (name: string, { amount, currency }: Money) => leaf(name, amount, ` Ccy="${currency}"`)
