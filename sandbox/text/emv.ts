// Payment codes of EMVCo, as a payer's bank reads them: tags of two digits with lengths of two, and a checksum over it all.
// It must not know about books.

export type PaymentCode = {
  readonly merchantName: string
  /** As it is written; null where the payer gives it. */
  readonly amount: string | null
  readonly reference: string | null
}

const PESO = '608'
const CODE_CHARACTERS_MAX = 512
const P2M_NAME = 'ph.ppmi.p2m'

type Tags = ReadonlyMap<string, string>

/** What a code requests, or why no bank would pay it. */
export function readPaymentCode(text: string): PaymentCode | { readonly fault: string } {
  const tags = text.length <= CODE_CHARACTERS_MAX ? tagsIn(text) : null
  if (!tags) return { fault: 'The text is no code.' }
  if (!/6304[0-9A-F]{4}$/.test(text) || checksum(text.slice(0, -4)) !== text.slice(-4))
    return { fault: 'The checksum of the code does not hold.' }
  const initiation = tags.get('01')
  if (tags.get('00') !== '01' || (initiation !== '11' && initiation !== '12'))
    return { fault: 'The code is of an unknown form.' }
  if (tagsIn(tags.get('28') ?? '')?.get('00') !== P2M_NAME) return { fault: 'The code is not of a merchant of QR Ph.' }
  if (tags.get('53') !== PESO || tags.get('58') !== 'PH') return { fault: 'The code is not about Philippine pesos.' }
  const amount = tags.get('54') ?? null
  if (amount === null && initiation === '12') return { fault: 'A code for one payment has an amount.' }
  return {
    merchantName: tags.get('59') ?? '',
    amount,
    reference: tagsIn(tags.get('62') ?? '')?.get('05') ?? null,
  }
}

/** Null where a length runs over the end, a tag is no number, or comes twice. */
function tagsIn(text: string): Tags | null {
  const tags = new Map<string, string>()
  for (let at = 0; at < text.length; ) {
    const [, tag = '', length = ''] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? []
    const value = text.slice(at + 4, at + 4 + Number(length))
    if (length === '' || value.length !== Number(length) || tags.has(tag)) return null
    tags.set(tag, value)
    at += 4 + value.length
  }
  return tags
}

/** CRC-16 of 0x1021 from 0xFFFF, over the bytes up to and with the checksum's own tag and length. */
function checksum(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
