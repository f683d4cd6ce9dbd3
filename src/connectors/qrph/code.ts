// QR Ph, the Philippine scheme of EMVCo codes: one that pays a merchant (P2M) is written, those that pay merchants and
// people (P2P) are read. It knows the text alone: neither the rail behind a code nor its image.
import { isCountry } from '../../domain/text/countries.ts'
import { invariant } from '../../domain/invariant.ts'
import { type EmvFault, type EmvItem, emvValue, readEmv, writeEmv } from '../../formats/emv-qr.ts'

/** The content of a code for one payment. All but amount and reference is fixed by the merchant's acquirer. */
export type QrphOrder = {
  /** ISO 9362, 8 or 11 characters. */
  readonly acquirerBic: string
  /** The merchant at its acquirer, 1 to 25 characters without spaces. */
  readonly merchantId: string
  /** Letters beyond ASCII lose their accents, and it is cut at 25 characters. */
  readonly merchantName: string
  /** The same, cut at 15. */
  readonly merchantCity: string
  /** ISO 18245, four digits. */
  readonly categoryCode: string
  /** Pesos with both decimals: "100.00". */
  readonly amountDecimal: string
  /** What the payment will be known by, 1 to 25 characters without spaces. */
  readonly reference: string
}

/** The content of a code, of a merchant or of a person. */
export type QrphCode = Omit<QrphOrder, 'amountDecimal' | 'reference'> & {
  readonly kind: 'p2m' | 'p2p'
  /** For one payment (01 = 12), rather than for many. */
  readonly isDynamic: boolean
  /** P2P: the person's account (27-04). */
  readonly merchantId: string
  /** Pesos with both decimals; null where the payer gives it. */
  readonly amountDecimal: string | null
  /** Null where there is none, or where the payer gives it ("***"). */
  readonly reference: string | null
}

export type QrphFaulty = {
  readonly fault: EmvFault | 'not_qrph' | 'bad_value'
  /** The id of the object, such as "54" or "28-03". */
  readonly at: string
}

const P2M = { id: '28', scheme: 'ph.ppmi.p2m', payee: '03' } as const
const P2P = { id: '27', scheme: 'com.p2pqrpay', payee: '04' } as const
const SCHEME = 'ph.ppmi.qrph'
/** Three flags of the scheme (28-05). The published codes that pay into a merchant id alone have this. */
const PROXY_NOTIFY_FLAGS = '000'
const PESO = '608'
const NAME_MAX = 25
const CITY_MAX = 15
const AMOUNT_MAX = 13
const ASKED_OF_PAYER = '***'

const BIC = /^[A-Z0-9]{4}([A-Z]{2})[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/
const CATEGORY = /^\d{4}$/
const TOKEN = /^[!-~]{1,25}$/

/**
 * The text of a dynamic code (01 = 12) that pays a merchant, laid out as the published ones are. It throws for what
 * cannot be written: the merchant's fields come from the settings, amount and reference are our own.
 */
export function qrphCode(order: QrphOrder): string {
  const { acquirerBic, merchantId, categoryCode, amountDecimal, reference } = order
  const name = plainLetters(order.merchantName, NAME_MAX)
  const city = plainLetters(order.merchantCity, CITY_MAX)
  invariant(isBic(acquirerBic), `the BIC of the QR Ph acquirer: ${acquirerBic}`)
  invariant(TOKEN.test(merchantId), `a QR Ph merchant id has 1 to 25 ASCII characters, no spaces: ${merchantId}`)
  invariant(name !== '', `a QR Ph merchant name has Latin letters or digits: ${order.merchantName}`)
  invariant(city !== '', `a QR Ph merchant city has Latin letters or digits: ${order.merchantCity}`)
  invariant(CATEGORY.test(categoryCode), `a merchant category code is four digits: ${categoryCode}`)
  invariant(canonicalAmount(amountDecimal) === amountDecimal, `an amount in a code is like 100.00: ${amountDecimal}`)
  invariant(TOKEN.test(reference) && reference !== ASKED_OF_PAYER, `a reference in a code: ${reference}`)
  const account = [
    { id: '00', value: P2M.scheme },
    { id: '01', value: acquirerBic.padEnd(11, 'X') },
    { id: P2M.payee, value: merchantId },
    { id: '05', value: PROXY_NOTIFY_FLAGS },
  ]
  return writeEmv([
    { id: '00', value: '01' },
    { id: '01', value: '12' },
    { id: P2M.id, items: account },
    { id: '52', value: categoryCode },
    { id: '53', value: PESO },
    { id: '54', value: amountDecimal },
    { id: '58', value: 'PH' },
    { id: '59', value: name },
    { id: '60', value: city },
    { id: '62', items: [scheme(), { id: '05', value: reference }] },
    // What the acquirer wants back with the payment: the reference once more.
    { id: '88', items: [scheme(), { id: '01', value: reference }] },
  ])
}

function scheme() {
  return { id: '00', value: SCHEME }
}

/** The content of a code for pesos in the Philippines, or what is wrong with it. */
export function readQrph(text: string): QrphCode | QrphFaulty {
  const read = readEmv(text)
  if ('fault' in read) return read
  const { items } = read
  const layout = [P2M, P2P].find(({ id, scheme }) => emvValue(items, id, '00') === scheme)
  if (!layout) return { fault: 'not_qrph', at: '' }
  const payee = `${layout.id}-${layout.payee}`
  const value = (at: string) => emvValue(items, ...pathOf(at)) ?? ''
  if (value(payee) === '') return { fault: 'missing', at: payee }
  const bad = faultyValue(items, `${layout.id}-01`)
  if (bad) return { fault: 'bad_value', at: bad }
  const reference = value('62-05')
  return {
    kind: layout === P2M ? 'p2m' : 'p2p',
    isDynamic: value('01') === '12',
    acquirerBic: value(`${layout.id}-01`),
    merchantId: value(payee),
    merchantName: value('59'),
    merchantCity: value('60'),
    categoryCode: value('52'),
    amountDecimal: canonicalAmount(value('54')),
    reference: reference === '' || reference === ASKED_OF_PAYER ? null : reference,
  }
}

/** The id of the first object with a value that no code of this scheme may have. */
function faultyValue(items: readonly EmvItem[], bic: string): string | null {
  const rules: [string, (text: string) => boolean][] = [
    ['01', (text) => ['', '11', '12'].includes(text)],
    [bic, isBic],
    ['52', (text) => CATEGORY.test(text)],
    ['53', (text) => text === PESO],
    ['54', (text) => text === '' || canonicalAmount(text) !== null],
    ['58', (text) => text === 'PH'],
    ['59', (text) => text.length <= NAME_MAX],
    ['60', (text) => text.length <= CITY_MAX],
    ['62-05', (text) => /^[ -~]{0,25}$/.test(text)],
  ]
  return rules.find(([at, holds]) => !holds(emvValue(items, ...pathOf(at)) ?? ''))?.[0] ?? null
}

function pathOf(at: string): [string, string?] {
  const [id = '', inner] = at.split('-')
  return inner === undefined ? [id] : [id, inner]
}

function isBic(text: string): boolean {
  return isCountry(BIC.exec(text)?.[1] ?? '')
}

/** Digits with at most one point, over zero, at most 13 characters ("70", "70.", "70.5"): in pesos with both decimals. */
function canonicalAmount(text: string): string | null {
  const [, pesos = '', centavos = ''] = /^(\d+)(?:\.(\d{0,2}))?$/.exec(text) ?? []
  const amount = `${pesos.replace(/^0+(?=\d)/, '')}.${centavos.padEnd(2, '0')}`
  return text.length <= AMOUNT_MAX && /[1-9]/.test(amount) ? amount : null
}

/** Letters and marks that Unicode does not take apart, each followed by what stands for it. */
const TWINS = new Map(
  `ßss ẞSS ÆAE æae ŒOE œoe ØO øo ŁL łl ĐD đd ÐD ðd ÞTH þth ıi ‘' ’' “" ”" –- —- ‐- ‑- −- ⁄/`
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
)

/** Printable ASCII of at most `charactersMax`, with single spaces; empty when nothing is left. */
function plainLetters(text: string, charactersMax: number): string {
  const plain = Array.from(text.normalize('NFKD'), (letter) => TWINS.get(letter) ?? letter).join('')
  const clean = plain
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
  return /[0-9A-Za-z]/.test(clean) ? clean.slice(0, charactersMax).trimEnd() : ''
}
