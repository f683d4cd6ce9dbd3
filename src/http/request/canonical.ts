// A JSON value as one text, the same for all the ways to write it: members in the order of their names, no spaces.

/** The canonical text of what JSON.parse gave. Its numbers are those that were written: a body with others is refused. */
export function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  let text = ''
  for (const name of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[name]
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalText(member)}`
  }
  return `{${text}}`
}
