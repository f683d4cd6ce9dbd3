// HTML by tagged template: whatever is put in is escaped, unless it is HTML already. Knows nothing of the API.

export type Html = { readonly markup: string }
type Part = Html | string | number | readonly Html[]

/** Markup around parts; text is escaped, for elements and for quoted attributes alike. */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: markup.map((text, index) => text + markupOf(parts[index] ?? '')).join('') }
}

/** Markup that we wrote ourselves, put in as it is. Never for text of a document. */
export function trusted(markup: string): Html {
  return { markup }
}

export const NOTHING: Html = { markup: '' }

function markupOf(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'markup' in part ? part.markup : part.map((each) => each.markup).join('')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}
