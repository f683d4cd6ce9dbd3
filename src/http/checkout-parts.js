import { icon } from './checkout-icons.js';
import { amountText, LANGUAGES } from './checkout-words.js';
import { html, NOTHING, trusted } from './docs-html.js';
export const wordsOf = ({ language }) => LANGUAGES[language].words;
/** A link to this page that keeps its language. */
export function hrefOf({ path }, { language, isLanguageNamed }, query) {
    const asked = [isLanguageNamed ? `lang=${language}` : '', query].filter((each) => each !== '').join('&');
    return asked === '' ? path : `${path}?${asked}`;
}
/** The state's own heading: where a reader is led after a change. */
export const heading = (text) => html `<h2 id="now" tabindex="-1">${text}</h2>`;
export const spinner = trusted('<span class="spinner" aria-hidden="true"></span>');
/** A text to be copied, with its button, which appears where there is a script. */
export function copyField(id, label, text, words) {
    return html `<div class="copy"><span class="label" id="${id}-label">${label}</span>
<div class="line"><code id="${id}" tabindex="0" aria-labelledby="${id}-label">${text}</code>
<button type="button" class="small" data-copy="${id}" data-done="${words.copied}" data-failed="${words.copyFailed}"
 aria-label="${words.copy}: ${label}" hidden>${words.copy}</button></div></div>`;
}
/** A list of facts: terms and what they are. Empty ones are left out. */
export function facts(rows) {
    const shown = rows.flatMap(([term, said]) => (said === null ? [] : [html `<dt>${term}</dt><dd>${said}</dd>`]));
    return shown.length === 0 ? NOTHING : html `<dl class="facts">${shown}</dl>`;
}
/** An amount in a place that may be narrow. */
export const sumOf = (amountMinor, currency) => html `<span class="nowrap">${amountText(amountMinor, currency)}</span>`;
export function anotherWay(view, look) {
    return html `<p class="other"><a href="${hrefOf(view, look, 'choose=1')}">${wordsOf(look).another}</a></p>`;
}
export function backLink({ returnUrl, merchant }, look) {
    if (returnUrl === null)
        return NOTHING;
    return html `<p><a class="button second" href="${returnUrl}" rel="noreferrer">${wordsOf(look).backTo(merchant)}</a></p>`;
}
/** Without a script the page looks again by itself, and when it is asked to. */
export function lookAgain(view, look) {
    return html `<noscript><p class="other"><a href="${hrefOf(view, look, '')}">${wordsOf(look).checkAgain}</a></p></noscript>`;
}
export function note(kind, inside) {
    return html `<div class="note ${kind}">${icon(kind === 'good' ? 'done' : kind === 'bad' ? 'stop' : 'note')}<div>${inside}</div></div>`;
}
/** What is to be said of money that does not fit, or goes back. */
export function noticesOf({ notices, merchant }, look) {
    return html `${notices.map((each) => {
        const kind = each.kind === 'returned' || each.kind === 'refunded' ? 'good' : each.kind.endsWith('ing') ? 'info' : 'warn';
        return note(kind, html `<p>${noticeText(each, merchant, wordsOf(look))}</p>`);
    })}`;
}
function noticeText({ kind, amountMinor, restMinor, currency }, merchant, words) {
    const amount = amountText(amountMinor, currency);
    switch (kind) {
        case 'part':
            return words.part(amount, amountText(restMinor, currency));
        case 'held':
        case 'refunding':
        case 'refunded':
            return words[kind](amount, merchant);
        case 'unfit':
        case 'excess':
        case 'late':
        case 'returning':
        case 'returned':
            return words[kind](amount);
    }
}
