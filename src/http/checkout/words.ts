// Which language a payer reads, and how amounts, times and networks are written in it.
import { displayText } from '../../domain/money/money.ts'
import { withoutTrailing } from '../../domain/text/texts.ts'
import { ENGLISH, type Words } from './english.ts'
import { FILIPINO } from './filipino.ts'
import { type Html, html } from './html.ts'
import { iso } from '../../wire/times.ts'

export type Language = 'en' | 'fil'

export const LANGUAGES: Readonly<Record<Language, { readonly name: string; readonly words: Words }>> = {
  en: { name: 'English', words: ENGLISH },
  fil: { name: 'Filipino', words: FILIPINO },
}

/** The language that an address names, or null. */
export function languageIn(text: unknown): Language | null {
  return text === 'en' || text === 'fil' ? text : null
}

/** The language of Accept-Language (RFC 9110, 12.5.4) that the page has and the reader likes best; English else. */
export function languageLiked(header: string | undefined): Language {
  const liked = (header ?? '')
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.trim().split(/\s*;\s*/)
      const quality = parameters.find((each) => each.startsWith('q='))
      return { word: range.toLowerCase().split('-')[0], quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ word, quality }) => quality > 0 && (word === 'en' || word === 'fil' || word === 'tl'))
    .toSorted((one, other) => other.quality - one.quality)
  return liked.length === 0 || liked[0]?.word === 'en' ? 'en' : 'fil'
}

/** Signs that mean one currency alone; a dollar sign means several, so those keep their code. */
const SIGNS: Readonly<Record<string, string>> = { PHP: '₱' }

/** An amount as payers write it, which does not break over a line: "₱1,234.50", "USD 1,234.50". */
export function amountText(amountMinor: bigint, currency: string): string {
  const [code = '', number = ''] = displayText(amountMinor, currency).split(' ')
  const sign = SIGNS[code]
  return sign === undefined ? `${code}\u00a0${number}` : `${sign}${number}`
}

const DIGITS_PLAIN = 8
const DIGITS_SAID = 6

/**
 * An amount of a crypto asset as people read it: whole where it has few digits, else rounded up to six that count, with a sign
 * that says so. Who sends what it says has sent enough.
 */
export function sensibleAmount(text: string): string {
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const counting = (whole + decimals).replace(/^0+/, '').length
  if (decimals === '' || counting <= DIGITS_PLAIN) return text
  const kept = Math.max(0, decimals.length - (counting - DIGITS_SAID))
  const step = 10n ** BigInt(decimals.length - kept)
  const units = (BigInt(whole + decimals) + step - 1n) / step
  const digits = String(units).padStart(kept + 1, '0')
  const [before, after] = [
    digits.slice(0, digits.length - kept),
    withoutTrailing(digits.slice(digits.length - kept), '0'),
  ]
  return `≈\u00a0${after === '' ? before : `${before}.${after}`}`
}

const NETWORKS: Readonly<Record<string, string>> = {
  'eip155:1': 'Ethereum',
  'eip155:10': 'OP Mainnet',
  'eip155:56': 'BNB Smart Chain',
  'eip155:137': 'Polygon',
  'eip155:8453': 'Base',
  'eip155:42161': 'Arbitrum One',
  'eip155:43114': 'Avalanche C-Chain',
  'eip155:11155111': 'Sepolia',
  'eip155:84532': 'Base Sepolia',
}

/** A network by the name that wallets use; else as it is (CAIP-2). */
export function networkName(network: string): string {
  return NETWORKS[network] ?? network
}

const MANILA = new Intl.DateTimeFormat('en-PH', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Manila' })

/** A moment in Manila, where most payers are: a script puts it into the reader's own time and language. */
export function timeElement(atMs: number): Html {
  const said = `${MANILA.format(atMs).replaceAll('\u202f', ' ')} (Manila)`
  return html`<time datetime="${iso(atMs)}" data-local>${said}</time>`
}
