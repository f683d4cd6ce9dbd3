// HTML of the reference's pages. Texts of the document are escaped; what stands between backquotes becomes code.

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** A value of the document in words: texts as they are, all else as JSON. */
export const said = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A text of the document as one paragraph of HTML. */
export const prose = (text: string): string =>
  escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\s*\n\s*/g, ' ')

export const code = (text: string): string => `<code>${escaped(text)}</code>`

/**
 * A block of HTML in Markdown. It is one line, for an empty line would end it, and its braces are no template's.
 */
export const block = (name: string, attributes: string, inside: string): string =>
  `<${name} v-pre${attributes === '' ? '' : ` ${attributes}`}>${inside.replaceAll(/\s*\n\s*/g, ' ')}</${name}>`

/** A fenced block; the fence is longer than any in the text. */
export const fence = (language: string, text: string): string => `\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\``
