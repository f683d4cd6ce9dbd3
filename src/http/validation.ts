// Schema faults in our words: each becomes a problem that names the parameter and the mend (design 3, trap 8).
import type { TSchema } from 'typebox'
// Of the two compilers the one that loads no conversions, which the start would wait for.
import { Compile } from 'typebox/schema'
import { invalid, missing, type Problem, type Refusal, refuseAll } from '../domain/refusals.ts'

type Fault = {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Record<string, unknown>
  readonly message: string
}

/** Checks values against a schema; the refusal holds all problems at once. */
export function validatorOf(schema: TSchema): (value: unknown) => Refusal | null {
  const compiled = Compile(schema)
  return (value) => {
    if (compiled.Check(value)) return null
    const [, faults] = compiled.Errors(value)
    const [first, ...others] = problemsOf(faults as unknown as Fault[])
    return refuseAll([first ?? invalid('body', 'The body does not have the documented shape.'), ...others])
  }
}

function problemsOf(faults: readonly Fault[]): Problem[] {
  const problems = faults.flatMap(problemOf)
  const seen = new Set<string>()
  return problems.filter((problem) => {
    const isNew = !seen.has(problem.code)
    seen.add(problem.code)
    return isNew
  })
}

function problemOf(fault: Fault): Problem[] {
  const path = fault.instancePath.split('/').slice(1).join('.')
  if (fault.keyword === 'required') {
    const names = fault.params['requiredProperties'] as string[]
    return names.map((name) => missing(path ? `${path}.${name}` : name, 'It is required.'))
  }
  // An alternative that fails repeats what its members say.
  if (fault.keyword === 'anyOf') return []
  const param = path || 'body'
  return [invalid(param, `${param} ${wordsFor(fault)}.`)]
}

/** Patterns that a person would not read. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^[A-Za-z]{3}$': 'must be the three letters of ISO 4217, such as PHP',
}

const TYPES: Readonly<Record<string, string>> = {
  number: 'a number without quotes, such as 500 or 19.99',
  integer: 'a whole number without quotes, such as 900',
  string: 'text in quotes',
  boolean: 'true or false',
  object: 'an object in braces',
  array: 'a list in brackets',
}

function typeWords(types: readonly string[]): string {
  const named = types.filter((type) => type !== 'null').map((type) => TYPES[type] ?? type)
  return `${named.join(' or ')}${types.includes('null') ? ', or null' : ''}`
}

function wordsFor({ keyword, params, message }: Fault): string {
  switch (keyword) {
    case 'maxLength':
      return `is longer than ${String(params['limit'])} characters`
    case 'minLength':
      return 'is empty'
    case 'enum':
      return `must be one of: ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`
    case 'format':
      return `is not a valid ${String(params['format'])}`
    case 'pattern':
      return PATTERNS[String(params['pattern'])] ?? `must match ${String(params['pattern'])}`
    case 'type':
      return `must be ${typeWords([params['type']].flat().map(String))}`
    case 'not':
      return 'has a form that is kept for the gateway itself'
    default:
      return message
  }
}
