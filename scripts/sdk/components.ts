// The components of the API document as types. Contracts and events get finer ones than the document has: a contract is a
// union of its statuses, an event of what it is about.
import { REFUSALS } from '../../src/domain/contract/refusals.ts'
import type { Document, Operation } from './document.ts'
import { resultOf } from './calls.ts'
import { componentOf, docOf, type Names, type Schema, type Side, typeOf } from './shapes.ts'

/** What a reply says of these is said more exactly by a type of the SDK's. */
const FINER: Readonly<Record<string, string>> = {
  TransferContract: 'Transfer',
  PaymentContract: 'Payment',
}
/** Event is a class of browsers. */
const OWN_NAMES: Readonly<Record<string, string>> = { Event: 'GatewayEvent' }

export function componentsIn(document: Document, operations: readonly Operation[]) {
  const { schemas } = document.components
  const inReplies = reached(
    schemas,
    operations.map((each) => resultOf(each, document).schema),
    'reply',
  )
  const inRequests = reached(
    schemas,
    operations.flatMap(({ body }) => body?.schema ?? []),
    'request',
  )
  // Those that stand alone are for whoever uses the types: enums of codes and event types.
  for (const [name, schema] of Object.entries(schemas)) if (schema.enum) inReplies.add(name)
  inReplies.add('Event')
  const inputName = (component: string) =>
    inReplies.has(component) && !isWord(schemas[component]) ? `${component}Input` : component
  const names: Names = (component, side) =>
    side === 'request' ? inputName(component) : (FINER[component] ?? OWN_NAMES[component] ?? component)
  const declared = (name: string, schema: Schema, side: Side) =>
    [...docOf(schema.description, ''), `export type ${name} = ${typeOf(schema, side, names)}`].join('\n')
  const types = Object.entries(schemas).flatMap(([component, schema]) =>
    component === 'ErrorCode'
      ? []
      : [
          ...(inReplies.has(component) ? [declared(OWN_NAMES[component] ?? component, schema, 'reply')] : []),
          ...(inRequests.has(component) && !(isWord(schema) && inReplies.has(component))
            ? [declared(inputName(component), schema, 'request')]
            : []),
        ],
  )
  return { names, types }
}

/** Is in a request what it is in a reply. */
const isWord = (schema?: Schema) => schema?.enum !== undefined || schema?.type === 'string'

/** The components that schemas come to, through one another. */
function reached(schemas: Document['components']['schemas'], from: readonly Schema[], side: Side): Set<string> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const schema = value as Schema & Readonly<Record<string, unknown>>
    if (side === 'request' && schema.readOnly === true) return
    const component = typeof schema.$ref === 'string' ? componentOf(schema.$ref) : null
    if (component !== null && !found.has(component)) {
      found.add(component)
      visit(schemas[component])
    }
    for (const [name, member] of Object.entries(schema)) if (name !== 'example' && name !== 'examples') visit(member)
  }
  visit(from)
  return found
}

/** Contracts by status, events by what they are about. */
export function contractTypes({ components: { schemas } }: Document): string {
  const codes = Object.keys(REFUSALS)
    .map((code) => `'${code}'`)
    .join(' | ')
  const named = (name: string, type: string) => (name in schemas ? '' : `export type ${name} = ${type}\n`)
  return `${named('TransferStatus', "TransferContract['status']")}${named('PaymentStatus', "PaymentContract['status']")}${named('EventType', "GatewayEvent['type']")}export type ErrorCode = ${`${codes} | \`missing_${'${string}'}\` | \`invalid_${'${string}'}\``}

/** When something happened, by the statuses where it surely has, and where it surely has not. */
type Moment<S, Surely, Never> = S extends Surely ? string : S extends Never ? null : string | null

/** A transfer contract: in any status, or in those that are named. */
export type Transfer<S extends TransferStatus = TransferStatus> = {
  [K in S]: Omit<TransferContract, 'status' | 'issued_at' | 'paid_at'> & {
    status: K
    issued_at: Moment<K, 'issued' | 'paid' | 'completed' | 'returned', 'draft'>
    paid_at: Moment<K, 'paid' | 'completed' | 'returned', 'draft' | 'issued' | 'expired'>
  }
}[S]

/** A payment contract: in any status, or in those that are named. */
export type Payment<S extends PaymentStatus = PaymentStatus> = {
  [K in S]: Omit<PaymentContract, 'status' | 'paid_at'> & {
    status: K
    paid_at: Moment<K, 'paid' | 'completed', 'issued'>
  }
}[S]`
}
