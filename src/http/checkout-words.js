// Which language a payer reads, and how amounts, times and networks are said in it.
import { displayText } from '../domain/money.js';
import { ENGLISH } from './checkout-english.js';
import { FILIPINO } from './checkout-filipino.js';
import { html } from './docs-html.js';
import { iso } from './times.js';
export const LANGUAGES = {
    en: { name: 'English', words: ENGLISH },
    fil: { name: 'Filipino', words: FILIPINO },
};
/** The language that an address names, or null. */
export function languageIn(text) {
    return text === 'en' || text === 'fil' ? text : null;
}
/** The language of Accept-Language (RFC 9110, 12.5.4) that the page has and the reader likes best; English else. */
export function languageLiked(header) {
    const liked = (header ?? '')
        .split(',')
        .map((part) => {
        const [range = '', ...parameters] = part.trim().split(/\s*;\s*/);
        const quality = parameters.find((each) => each.startsWith('q='));
        return { word: range.toLowerCase().split('-')[0], quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
        .filter(({ word, quality }) => quality > 0 && (word === 'en' || word === 'fil' || word === 'tl'))
        .toSorted((one, other) => other.quality - one.quality);
    return liked.length === 0 || liked[0]?.word === 'en' ? 'en' : 'fil';
}
/** An amount that does not break over a line: "PHP 1,234.50". */
export function amountText(amountMinor, currency) {
    return displayText(amountMinor, currency).replace(' ', '\u00a0');
}
const NETWORKS = {
    'eip155:1': 'Ethereum',
    'eip155:10': 'OP Mainnet',
    'eip155:56': 'BNB Smart Chain',
    'eip155:137': 'Polygon',
    'eip155:8453': 'Base',
    'eip155:42161': 'Arbitrum One',
    'eip155:43114': 'Avalanche C-Chain',
    'eip155:11155111': 'Sepolia',
    'eip155:84532': 'Base Sepolia',
};
/** A network by the name that wallets call it; else as it is (CAIP-2). */
export function networkName(network) {
    return NETWORKS[network] ?? network;
}
/** A moment, in UTC: the browser puts it into the reader's own time and language. */
export function timeElement(atMs) {
    const text = iso(atMs);
    return html `<time datetime="${text}" data-local>${text.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
