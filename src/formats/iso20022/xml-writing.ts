// XML text out of values: every character of a value is escaped here, and only what was made here counts as XML.
// It must not know which elements a message has.
import { bodyOf, type MessageKind, namespaceOf } from './messages.ts'

declare const written: unique symbol

/** Text that was escaped or built here. Plain text does not fit: it would bring its own markup. */
export type Xml = string & { readonly [written]: true }

const NOTHING = '' as Xml

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** An element with text, or nothing for null. */
export function leaf(name: string, value: string | null): Xml {
  return value === null ? NOTHING : (`<${name}>${escaped(value)}</${name}>` as Xml)
}

/** An element with its parts in the order given, which is the schema's. */
export function group(name: string, ...parts: readonly Xml[]): Xml {
  return `<${name}>${parts.join('')}</${name}>` as Xml
}

/** The same, or nothing when every part is nothing. */
export function groupOfAny(name: string, ...parts: readonly Xml[]): Xml {
  return parts.every((part) => part === '') ? NOTHING : group(name, ...parts)
}

/** Elements one after the other. */
export function sequence(parts: readonly Xml[]): Xml {
  return parts.join('') as Xml
}

/** An amount with its currency as the attribute that the standard gives it. */
export function amountLeaf(name: string, amountDecimal: string, currency: string): Xml {
  return `<${name} Ccy="${escaped(currency)}">${escaped(amountDecimal)}</${name}>` as Xml
}

/** The whole message, in UTF-8 as its declaration says. */
export function messageText(kind: MessageKind, ...parts: readonly Xml[]): string {
  const body = group(bodyOf(kind), ...parts)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespaceOf(kind)}">${body}</Document>\n`
}

function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}
