// Untrusted bytes -> a parsed XML document, for as long as it is in use. Entities are never read: a document that
// declares any is refused before the parser sees it. It must not know which elements a message has.
import { XmlDocument, XmlError } from 'libxml2-wasm'

/** The largest message that is read: some ten thousand entries of a statement. */
export const MESSAGE_BYTES_MAX = 8 * 1024 * 1024

// Memory goes by nodes, not by bytes: `<a/>` costs the parser thirty times its length. Each node needs one of these.
const MARKS_MAX = 500_000
const LESS_THAN = 0x3c
const EQUALS = 0x3d

const FAULT_LENGTH_MAX = 300

/**
 * Hands the document to `use` and frees its memory afterwards; the document must not be kept. UTF-8 alone is read, as
 * the standard has it. What is not one well-formed document without a DOCTYPE is a fault.
 */
export function withDocument<T>(
  bytes: Uint8Array,
  use: (document: XmlDocument) => T,
): { readonly result: T } | { readonly fault: string } {
  const fault = suspicion(bytes)
  if (fault !== null) return { fault }
  const parsed = parse(bytes)
  if ('fault' in parsed) return parsed
  try {
    return { result: use(parsed.document) }
  } finally {
    parsed.document.dispose()
  }
}

/** A message of the parser in one short line: it quotes the document, which may be anything. */
export function shortFault(message: string): string {
  const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return line.length > FAULT_LENGTH_MAX ? `${line.slice(0, FAULT_LENGTH_MAX)}…` : line
}

function parse(bytes: Uint8Array): { readonly document: XmlDocument } | { readonly fault: string } {
  try {
    // The encoding is given, so that the document's own declaration is not used.
    return { document: XmlDocument.fromBuffer(bytes, { encoding: 'utf-8' }) }
  } catch (fault) {
    if (fault instanceof XmlError) return { fault: `not well-formed: ${shortFault(fault.message)}` }
    throw fault
  }
}

/** What is refused by its bytes alone, or null. */
function suspicion(bytes: Uint8Array): string | null {
  if (bytes.length > MESSAGE_BYTES_MAX) return `larger than ${MESSAGE_BYTES_MAX} bytes`
  let marks = 0
  for (const byte of bytes) if (byte === LESS_THAN || byte === EQUALS) marks++
  if (marks > MARKS_MAX) return 'too many elements'
  const text = decoded(bytes)
  if (text === null) return 'not UTF-8'
  if (text.includes('\0')) return 'holds a NUL'
  const encoding = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)/.exec(text)?.[1]
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) return 'declares another encoding than UTF-8'
  // In comments and CDATA these would be harmless; no bank has a reason to write them there.
  if (/<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i.test(text)) return 'has a DOCTYPE'
  return null
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
