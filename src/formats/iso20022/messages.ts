// The ISO 20022 messages used here: their exact versions, and the element that holds each.

/** The element below `Document`, by message. A version is part of the name: another version is another message. */
const BODIES = {
  'pacs.008.001.08': 'FIToFICstmrCdtTrf',
  'pacs.002.001.10': 'FIToFIPmtStsRpt',
  'pain.001.001.09': 'CstmrCdtTrfInitn',
  'pain.002.001.10': 'CstmrPmtStsRpt',
  'camt.053.001.08': 'BkToCstmrStmt',
} as const

export type MessageKind = keyof typeof BODIES

export const MESSAGE_KINDS = Object.keys(BODIES) as readonly MessageKind[]

export function bodyOf(kind: MessageKind): string {
  return BODIES[kind]
}

export function namespaceOf(kind: MessageKind): string {
  return `urn:iso:std:iso:20022:tech:xsd:${kind}`
}
