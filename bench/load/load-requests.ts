// Requests as bytes that are made once and filled in place: what is sent for each unit costs a few writes into a buffer.
import { readFileSync } from 'node:fs'

/** The values of one sending; what a template does not name is not used. */
export type Values = { readonly id: string; readonly key: string; readonly count: number }

/** A request of one connection: gives its bytes with the values filled in. The buffer is the same each time. */
export type Template = (values: Values) => Buffer

const COUNT_DIGITS = 12
const SLOT = /\{(id|key|count)\}/

/** The lengths of ids and keys, which are the same for all. */
export type Widths = { readonly id: number; readonly key: number }

export function openTemplate(text: string, widths: Widths): Template {
  const slots: { readonly name: keyof Values; readonly at: number }[] = []
  let filled = text
  for (let match = SLOT.exec(filled); match; match = SLOT.exec(filled)) {
    const name = match[1] as keyof Values
    slots.push({ name, at: match.index })
    filled = filled.replace(SLOT, ' '.repeat(name === 'count' ? COUNT_DIGITS : widths[name]))
  }
  const buffer = Buffer.from(filled, 'latin1')
  return (values) => {
    for (const { name, at } of slots) {
      const value = values[name]
      buffer.write(typeof value === 'number' ? String(value).padStart(COUNT_DIGITS, '0') : value, at, 'latin1')
    }
    return buffer
  }
}

type Listed = { readonly id: string; readonly key: string }

/** The lines of a list: an id and an API key each. */
export function readList(path: string): Listed[] {
  const lines = readFileSync(path, 'latin1').trimEnd().split('\n')
  return lines.map((line) => {
    const [id = '', key = ''] = line.split(' ')
    return { id, key }
  })
}
