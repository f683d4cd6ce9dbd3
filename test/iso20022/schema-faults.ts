// Whether a message is what the standard says: by schema, and by the decimals of its currencies. For what this gateway
// sends, and for tests; messages of others are read by the readers, which pass over what they do not need.
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'
import { amountText } from '../../src/formats/iso20022/amounts.ts'
import { bodyOf, type MessageKind, namespaceOf } from '../../src/formats/iso20022/messages.ts'
import { CAMT_053 } from './schemas/camt053.ts'
import { PACS_002 } from './schemas/pacs002.ts'
import { PACS_008 } from './schemas/pacs008.ts'
import { PAIN_001 } from './schemas/pain001.ts'
import { PAIN_002 } from './schemas/pain002.ts'
import { schemaText } from './schemas/schema-text.ts'
import { shortFault, withDocument } from '../../src/formats/iso20022/xml-document.ts'
import { treeOf, type XmlNode } from '../../src/formats/iso20022/xml-tree.ts'

const TYPES: Readonly<Record<MessageKind, string>> = {
  'pacs.008.001.08': PACS_008,
  'pacs.002.001.10': PACS_002,
  'pain.001.001.09': PAIN_001,
  'pain.002.001.10': PAIN_002,
  'camt.053.001.08': CAMT_053,
}

const FAULTS_MAX = 20

// To name where a fault is, the validator counts through the siblings of an element and of all above it. A message of
// nothing but faults would keep it busy for minutes; this is a second or two, and some 6,000 items of a file.
const STEPS_MAX = 1_000_000_000

const validators = new Map<MessageKind, XsdValidator>()

/** What is wrong with the message, a line each, at most 20; nothing when it is valid. Bad input throws nothing. */
export function schemaFaults(kind: MessageKind, bytes: Uint8Array): readonly string[] {
  const checked = withDocument(bytes, (document) => {
    const { root } = treeOf(document)
    if (stepsIn(root, 0) > STEPS_MAX) return ['too many elements to validate at once']
    const faults = structureFaults(kind, document)
    return faults.length > 0 ? faults : decimalFaults(root)
  })
  return 'fault' in checked ? [checked.fault] : checked.result.slice(0, FAULTS_MAX)
}

function structureFaults(kind: MessageKind, document: XmlDocument): string[] {
  try {
    validatorOf(kind).validate(document)
    return []
  } catch (fault) {
    if (!(fault instanceof XmlValidateError)) throw fault
    return fault.details.slice(0, FAULTS_MAX).map(({ message }) => shortFault(message))
  }
}

/** Compiled once and kept for good, with the document of the schema, which it goes on reading. */
function validatorOf(kind: MessageKind): XsdValidator {
  const known = validators.get(kind)
  if (known !== undefined) return known
  const schema = XmlDocument.fromString(schemaText(namespaceOf(kind), bodyOf(kind), TYPES[kind]))
  const validator = XsdValidator.fromDoc(schema)
  validators.set(kind, validator)
  return validator
}

function decimalFaults(node: XmlNode): string[] {
  const currency = node.attributes.get('Ccy')
  if (currency === undefined) return node.children.flatMap(decimalFaults)
  return amountText(node.text.trim(), currency) === null
    ? [`Element '${node.name}': '${shortFault(node.text)}' is no amount of ${currency}`]
    : []
}

/** How far the validator would count, were every element faulty. */
function stepsIn(node: XmlNode, stepsAbove: number): number {
  const steps = stepsAbove + node.children.length
  return node.children.reduce((sum, child) => sum + steps + stepsIn(child, steps), 0)
}
