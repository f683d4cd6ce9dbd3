// HTML by tagged template: whatever is put in is escaped, unless it is HTML already. Knows nothing of the API.
/** Markup around parts; text is escaped, for elements and for quoted attributes alike. */
export function html(markup, ...parts) {
    return { markup: markup.map((text, index) => text + markupOf(parts[index] ?? '')).join('') };
}
/** Markup that we wrote ourselves, put in as it is. Never for words of a document. */
export function trusted(markup) {
    return { markup };
}
export const NOTHING = { markup: '' };
function markupOf(part) {
    if (typeof part === 'string' || typeof part === 'number')
        return escapeHtml(String(part));
    return 'markup' in part ? part.markup : part.map((each) => each.markup).join('');
}
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
function escapeHtml(text) {
    return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
