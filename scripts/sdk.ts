// Makes the SDK's types and its table of operations from docs/openapi.json, what each status allows from the tables of
// moves, and the outcomes of the sandbox by name from its scenarios.
import { readFileSync } from 'node:fs'
import { COLLECT_SCENARIOS } from '../sandbox/collections/collect-scenarios.ts'
import { SCENARIOS } from '../sandbox/scenarios.ts'
import { settleGenerated } from './generated.ts'
import { bodyName, lineOf, paramsName, queryType, signatureOf } from './sdk/calls.ts'
import { type Document, operationsIn } from './sdk/document.ts'
import { componentsIn, contractTypes } from './sdk/components.ts'
import { docOf, type Names, typeOf } from './sdk/shapes.ts'
import { stepsOfContracts } from './sdk/steps.ts'

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document
const operations = operationsIn(document)
const steps = stepsOfContracts()
const { names, types } = componentsIn(document, operations)
/** What the signatures name of the types. */
const used = new Set(['Transfer', 'Payment'])
const noted: Names = (component, side) => {
  const name = names(component, side)
  used.add(name)
  return name
}
const head = (what: string) => `// ${what} Made by scripts/sdk.ts: npm run generate.\n`
const json = (value: unknown) => JSON.stringify(value)

const groupOf = (id: string) => id.slice(0, id.indexOf('.'))
const calls = [...new Set(operations.map(({ id }) => groupOf(id)))].map((group) => {
  const members = operations.filter(({ id }) => groupOf(id) === group)
  return `  readonly ${group}: {\n${members.map((each) => signatureOf(each, document, steps, noted)).join('\n')}\n  }`
})
const params = operations.flatMap((operation) => {
  const { id, body, query } = operation
  if (body && bodyName(id, body.schema, names) !== paramsName(id)) return []
  const type = body ? typeOf(body.schema, 'request', names) : query.length > 0 ? queryType(operation) : null
  return type === null ? [] : [{ name: paramsName(id), type }]
})
const paramNames = params.map(({ name }) => name)
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const outcomes = (rows: readonly (readonly [name: string, value: unknown, summary: string])[]) =>
  `{\n${rows.map(([name, value, summary]) => [...docOf(summary, '  '), `  ${camel(name)}: ${json(value)},`].join('\n')).join('\n')}\n} as const`

settleGenerated([
  {
    path: 'sdk/src/operations.gen.ts',
    text: `${head('The operations of the API, and the steps of contracts.')}
/** The API's version that this client is made for. */
export const VERSION = ${json(document.info.version)}

export const OPERATIONS = \`${operations.map((operation) => lineOf(operation, document)).join('\n')}\`

export const STEPS = ${JSON.stringify(steps.targets, null, 2)} as const

export const NEXT = ${JSON.stringify(steps.next, null, 2)} as const
`,
  },
  {
    path: 'sdk/src/types.gen.ts',
    text: `${head('What goes to the gateway and what comes back, as types.')}
/** An amount in major units: '1500.50', or 1500.5. */
export type Decimal = number | string

${types.join('\n\n')}

${contractTypes(document)}

${params.map(({ name, type }) => `export type ${name} = ${type}`).join('\n\n')}
`,
  },
  {
    path: 'sdk/src/calls.gen.ts',
    text: `${head('The signatures of the operations.')}
import type { After, ById, Ref, Standing } from './contracts.ts'
import type { List } from './pages.ts'
import type { CallOptions } from './transport.ts'
import type {
${[...used, ...paramNames]
  .toSorted()
  .map((name) => `  ${name},`)
  .join('\n')}
} from './types.gen.ts'

export type Calls = {
${calls.join('\n')}
}
`,
  },
  {
    path: 'sdk/src/outcomes.gen.ts',
    text: `${head('What the sandbox provider plays, by name.')}
/** Of a transfer: accounts (\`recipient.wallet\`) that choose it, whatever the amount. */
export const TRANSFER_OUTCOMES = ${outcomes(SCENARIOS.map(({ name, summary }) => [name, `sandbox-${name}`, summary]))}

/** Of a payment: what its amount in minor units ends in. */
export const PAYMENT_OUTCOMES = ${outcomes(COLLECT_SCENARIOS.flatMap(({ name, ending, summary }) => (ending === null ? [] : [[name, ending, summary] as const])))}
`,
  },
])
