// How an operation is called: with curl, as it is pasted into a shell where API_KEY is set. What a path needs comes from
// variables, too, named after what it is of: TRANSFER_ID, WALLET_ID.
import { WRITTEN } from './written.ts'
import { said } from './markup.ts'
import { exampleOf, type OpenApi, type Operation, type Parameter, type Place, resolved } from './document.ts'

export function curlSample(document: OpenApi, place: Place): string {
  const { method, path, operation } = place
  const address = addressOf(document, place)
  const flags = ['-s']
  if (method !== 'GET' && !(method === 'POST' && bodyOf(operation) !== undefined)) flags.push('-X', method)
  const lines = [`curl ${flags.join(' ')} "${WRITTEN}${address}"`, ...credentials(operation)]
  if (takesKey(document, operation)) lines.push(`-H "Idempotency-Key: $(uuidgen)"`)
  if (path.endsWith('/stream')) lines[0] = `${lines[0] ?? ''} -N`
  const body = bodyOf(operation)
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d '${shellText(body)}'`)
  return lines.join(' \\\n  ')
}

/** The path with a variable of the shell for each of its parts that varies, and the query that is required. */
function addressOf(document: OpenApi, { path, operation }: Place): string {
  const query = parametersOf(document, operation)
    .filter((each) => each.in === 'query' && each.required === true)
    .map(({ name, example }) => `${name}=${example === undefined ? `$${name.toUpperCase()}` : said(example)}`)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(path, name)}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

/** TRANSFER_ID for the id in /contracts/transfer/{id}; CODE for a part that is no id. */
export function variableOf(path: string, name: string): string {
  const before = path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? ''
  const noun = before
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
    .replaceAll(/[^a-z]/g, '_')
  return (name === 'id' ? `${noun}_id` : name).toUpperCase()
}

export function parametersOf(document: OpenApi, { parameters = [] }: Operation): Parameter[] {
  return parameters.map((each) => resolved<Parameter>(document, each))
}

const takesKey = (document: OpenApi, operation: Operation) =>
  parametersOf(document, operation).some(({ name }) => name.toLowerCase() === 'idempotency-key')

/** The example of the JSON body, as text, or undefined. */
export function bodyOf({ requestBody }: Operation): string | undefined {
  const media = requestBody?.content['application/json']
  const example = media && exampleOf(media)
  return example === undefined ? undefined : JSON.stringify(example, null, 2)
}

/** What opens the operation: an API key where it takes one, else a token or a session. */
function credentials({ security = [] }: Operation): string[] {
  const kinds = security.flatMap((each) => Object.keys(each))
  if (kinds.includes('apiKey')) return ['-H "X-Api-Key: $API_KEY"']
  if (kinds.includes('bearer')) return ['-H "Authorization: Bearer $TOKEN"']
  return kinds.includes('session') ? ['-b "gateway_session=$SESSION"'] : []
}

const shellText = (text: string) => text.replaceAll("'", `'\\''`)
