// EMVCo merchant-presented QR codes (specification 1.1): their text to data objects and back, byte for byte. It knows how
// objects are framed and checked, and nothing of what a country's scheme puts in them.
import { invariant } from '../domain/invariant.ts'

/** A data object that holds text. */
type EmvLeaf = { readonly id: string; readonly value: string }

/** A data object of a code. Those of templates (26-51, 62, 64, 80-99) hold objects, all others text. */
export type EmvItem = EmvLeaf | { readonly id: string; readonly items: readonly EmvLeaf[] }

/** Why a text is no code. `at` is the id of the object, such as "28" or "28-03"; empty where none can be named. */
export type EmvFaulty = { readonly fault: EmvFault; readonly at: string }

export type EmvFault =
  /** Over 512 bytes: no code may be longer. */
  | 'too_long'
  /** Control characters, halves of characters, or letters beyond ASCII in an object that takes none. */
  | 'bad_characters'
  /** Where an object begins there are no two digits. */
  | 'bad_id'
  /** The length is not two digits from 01 to 99, or reaches beyond the end. */
  | 'bad_length'
  /** An object stands twice: two readers could see two different payees. */
  | 'repeated'
  /** The code does not begin with 00 = 01. */
  | 'bad_format'
  /** An object that every code has is not there; "02..51" is the payee's account in any scheme. */
  | 'missing'
  | 'crc_not_last'
  /** The checksum is of another text, or not written in capitals. */
  | 'bad_crc'

const BYTES_MAX = 512
const LENGTH_MAX = 99
const FORMAT = '00'
const CRC = '63'
const CRC_HEAD = `${CRC}04`
/** Category, currency, country, name and city (table 3.2). */
const MANDATORY = ['52', '53', '58', '59', '60']

/**
 * The text of a code: the items in their order, 00 first, and then the checksum, which is not among them. Lengths count
 * characters (code points), as the standard does; the checksum is of the bytes in UTF-8. Items that cannot be written,
 * such as one of more than 99 characters, are our own fault, and throw.
 */
export function writeEmv(items: readonly EmvItem[]): string {
  const body = items.map((item) => written('items' in item ? flat(item) : item)).join('') + CRC_HEAD
  const text = body + crcOf(body)
  const again = readEmv(text)
  if ('fault' in again) invariant(false, `a code that nobody could read: ${again.fault} at ${again.at}`)
  return text
}

function flat(template: { readonly id: string; readonly items: readonly EmvLeaf[] }): EmvLeaf {
  return { id: template.id, value: template.items.map(written).join('') }
}

function written({ id, value }: EmvLeaf): string {
  const length = Array.from(value).length
  invariant(/^\d{2}$/.test(id), `the id of a data object is two digits: ${id}`)
  invariant(length > 0 && length <= LENGTH_MAX, `data object ${id} has 1 to ${LENGTH_MAX} characters, not ${length}`)
  return id + length.toString().padStart(2, '0') + value
}

/**
 * The items of a code, without its checksum, or what is wrong with it. What is read is written again to the same text.
 * Only what every code must have is required here: amounts and currencies are left to the scheme.
 */
export function readEmv(text: string): { readonly items: readonly EmvItem[] } | EmvFaulty {
  if (text.length > BYTES_MAX || bytesOf(text).length > BYTES_MAX) return { fault: 'too_long', at: '' }
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return { fault: 'bad_characters', at: '' }
  const found = readObjects(text, '')
  if ('fault' in found) return found
  const fault = faultOfWhole(found.objects, text)
  if (fault) return fault
  const items: EmvItem[] = []
  for (const object of found.objects.slice(0, -1)) {
    const item = itemOf(object)
    if ('fault' in item) return item
    items.push(item)
  }
  return { items }
}

/** The text of an object, or of one inside a template; null when there is none. */
export function emvValue(items: readonly EmvItem[], id: string, innerId?: string): string | null {
  const item = items.find((each) => each.id === id)
  if (!item) return null
  if ('value' in item) return innerId === undefined ? item.value : null
  return item.items.find((each) => each.id === innerId)?.value ?? null
}

function readObjects(text: string, template: string): { readonly objects: readonly EmvLeaf[] } | EmvFaulty {
  const characters = Array.from(text)
  const within = (id: string) => (template === '' ? id : `${template}-${id}`)
  const objects: EmvLeaf[] = []
  for (let place = 0; place < characters.length; ) {
    const id = characters.slice(place, place + 2).join('')
    if (!/^\d{2}$/.test(id)) return { fault: 'bad_id', at: template }
    const length = characters.slice(place + 2, place + 4).join('')
    const end = place + 4 + Number(length)
    if (!/^\d{2}$/.test(length) || length === '00' || end > characters.length)
      return { fault: 'bad_length', at: within(id) }
    if (objects.some((each) => each.id === id)) return { fault: 'repeated', at: within(id) }
    objects.push({ id, value: characters.slice(place + 4, end).join('') })
    place = end
  }
  return { objects }
}

function faultOfWhole(objects: readonly EmvLeaf[], text: string): EmvFaulty | null {
  const first = objects[0]
  if (first?.id !== FORMAT || first.value !== '01') return { fault: 'bad_format', at: FORMAT }
  const crc = objects.find((each) => each.id === CRC)
  if (!crc) return { fault: 'missing', at: CRC }
  if (crc !== objects.at(-1)) return { fault: 'crc_not_last', at: CRC }
  if (crc.value !== crcOf(text.slice(0, -crc.value.length))) return { fault: 'bad_crc', at: CRC }
  const missing = MANDATORY.find((id) => !objects.some((each) => each.id === id))
  if (missing !== undefined) return { fault: 'missing', at: missing }
  const paysSomebody = objects.some(({ id }) => id >= '02' && id <= '51')
  return paysSomebody ? null : { fault: 'missing', at: '02..51' }
}

function itemOf(object: EmvLeaf): EmvItem | EmvFaulty {
  if (!takesUnicode(object.id) && /[^\x20-\x7e]/.test(object.value)) return { fault: 'bad_characters', at: object.id }
  if (!isTemplate(object.id)) return object
  const inner = readObjects(object.value, object.id)
  return 'fault' in inner ? inner : { id: object.id, items: inner.objects }
}

function isTemplate(id: string): boolean {
  return (id >= '26' && id <= '51') || id === '62' || id === '64' || id >= '80'
}

/** Objects of format S (table 3.2), such as the name of the shop in its own language (64). */
function takesUnicode(id: string): boolean {
  return id === '62' || id >= '64'
}

/** CRC-16/CCITT-FALSE, four hexadecimal digits in capitals: over all that goes before it, its own id and length included. */
function crcOf(text: string): string {
  let crc = 0xffff
  for (const byte of bytesOf(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
