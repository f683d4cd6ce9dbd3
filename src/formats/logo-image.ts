// A picture that an account shows as its logo: PNG, JPEG or WebP, read from its own bytes and never from its name. What is kept
// is the picture alone, rebuilt from the parts that draw it: no metadata, nothing before or behind it. It must not know pixels.

export const LOGO_BYTES_MAX = 32_768
const LOGO_PIXELS_MAX = 1024
const LOGO_PIXELS_MIN = 16
const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type LogoType = (typeof LOGO_TYPES)[number]

export type LogoImage = {
  readonly type: LogoType
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}
type Faulty = { readonly fault: string }

/** What is found in a file: its size, and the parts that are kept; null where it is not whole. */
type Drawn = { readonly width: number; readonly height: number; readonly kept: readonly Buffer[] } | 'moves' | null

const READERS: Readonly<Record<LogoType, (file: Buffer) => Drawn>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
}

/** The picture in a data URI, or what is wrong with it in words that follow "must be". */
export function readLogo(uri: string): LogoImage | Faulty {
  const [, named = '', base64 = ''] = /^data:([a-z+/-]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(uri) ?? []
  if (base64 === '')
    return { fault: 'a data URI of a picture in base64, such as data:image/png;base64,… (PNG, JPEG or WebP)' }
  const type = LOGO_TYPES.find((each) => each === named)
  if (!type) return { fault: `PNG, JPEG or WebP, and not ${named}` }
  return logoIn(Buffer.from(base64, 'base64'), type)
}

/** The same of a file whose type its first bytes say. */
export function readLogoFile(file: Buffer): LogoImage | Faulty {
  const type = typeOf(file)
  return type ? logoIn(file, type) : { fault: 'a PNG, JPEG or WebP file' }
}

/** As a page and the API show it. */
export const logoUri = ({ type, bytes }: Pick<LogoImage, 'type' | 'bytes'>) =>
  `data:${type};base64,${bytes.toString('base64')}`

function logoIn(file: Buffer, type: LogoType): LogoImage | Faulty {
  if (typeOf(file) !== type) return { fault: `what it says it is: these are not the bytes of ${type}` }
  if (file.length > LOGO_BYTES_MAX)
    return { fault: `at most ${LOGO_BYTES_MAX / 1024} KiB, and this has ${Math.ceil(file.length / 1024)} KiB` }
  const drawn = READERS[type](file)
  if (drawn === 'moves') return { fault: 'a picture that does not move' }
  if (drawn === null) return { fault: `a whole ${type} with nothing behind it` }
  const { width, height, kept } = drawn
  if (Math.max(width, height) > LOGO_PIXELS_MAX || Math.min(width, height) < LOGO_PIXELS_MIN)
    return {
      fault: `${LOGO_PIXELS_MIN} to ${LOGO_PIXELS_MAX} pixels wide and high, and this is ${width} × ${height}`,
    }
  return { type, width, height, bytes: Buffer.concat(kept) }
}

const PNG_BEGIN = Buffer.from('89504e470d0a1a0a', 'hex')

function typeOf(file: Buffer): LogoType | null {
  if (file.subarray(0, 8).equals(PNG_BEGIN)) return 'image/png'
  if (file.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'image/jpeg'
  const isWebp = file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? 'image/webp' : null
}

/** What draws a PNG; all else is text, times and the like. */
const PNG_DRAWS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'gAMA', 'cHRM', 'sRGB'])

/** Chunks: length, type, content, checksum. The first says the size, the last is empty. */
function readPng(file: Buffer): Drawn {
  const kept: Buffer[] = [PNG_BEGIN]
  let size: { width: number; height: number } | null = null
  let hasData = false
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const end = at + 12 + length
    if (end > file.length || (size === null) !== (type === 'IHDR')) return null
    if (type === 'IHDR') {
      if (length !== 13) return null
      size = { width: file.readUInt32BE(at + 8), height: file.readUInt32BE(at + 12) }
    }
    if (type === 'acTL') return 'moves'
    hasData ||= type === 'IDAT' && length > 0
    if (PNG_DRAWS.has(type)) kept.push(file.subarray(at, end))
    if (type === 'IEND') return size && hasData && length === 0 && end === file.length ? { ...size, kept } : null
    at = end
  }
  return null
}

const JPEG = { begin: 0xd8, end: 0xd9, scan: 0xda, application: 0xe0, adobe: 0xee, comment: 0xfe } as const

/** Segments: a marker, its length, content; after a scan's own the compressed data up to the next marker. */
function readJpeg(file: Buffer): Drawn {
  const kept: Buffer[] = [file.subarray(0, 2)]
  let size: { width: number; height: number } | null = null
  let hasScan = false
  for (let at = 2; at + 2 <= file.length; ) {
    const marker = file[at + 1] ?? 0
    if (file[at] !== 0xff || marker < 0xc0 || marker === JPEG.begin) return null
    if (marker === JPEG.end) {
      kept.push(file.subarray(at, at + 2))
      return size && hasScan && at + 2 === file.length ? { ...size, kept } : null
    }
    if (at + 4 > file.length) return null
    const length = file.readUInt16BE(at + 2)
    let end = at + 2 + length
    if (length < 2 || end > file.length) return null
    if (isFrame(marker)) {
      if (size !== null || length < 8) return null
      size = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) }
    }
    if (marker === JPEG.scan) {
      hasScan = true
      end = endOfScan(file, end)
    }
    if (drawsJpeg(marker)) kept.push(file.subarray(at, end))
    at = end
  }
  return null
}

/** Start of frame, of any coding: C0 to CF but for the tables of Huffman and arithmetic codes and the reserved one. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Of what applications and people add, only what says how colours are coded (JFIF and Adobe). */
function drawsJpeg(marker: number): boolean {
  if (marker === JPEG.comment) return false
  const isApplication = marker >= 0xe0 && marker <= 0xef
  return !isApplication || marker === JPEG.application || marker === JPEG.adobe
}

/** Where the compressed data ends: at a marker that is neither a stuffed byte nor a restart. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = from; at + 1 < file.length; at++) {
    const next = file[at + 1] ?? 0
    if (file[at] === 0xff && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return file.length
}

/** In the first byte of an extended file, what says that metadata or a colour profile follows. */
const WEBP_ALPHA_FLAG = 0x10
const WEBP_MOVES_FLAG = 0x02
const WEBP_DRAWS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH'])

/** A RIFF file of chunks: type, length, content, to an even place. */
function readWebp(file: Buffer): Drawn {
  if (file.length < 30 || file.readUInt32LE(4) !== file.length - 8) return null
  const chunks: Buffer[] = []
  let canvas: Size | null = null
  let picture: Size | null = null
  let at = 12
  while (at + 8 <= file.length) {
    const type = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (end > file.length) return null
    const content = file.subarray(at + 8, at + 8 + length)
    const chunk = Buffer.from(file.subarray(at, end))
    if (type === 'VP8X') {
      if (at !== 12 || length !== 10) return null
      if ((content[0] ?? 0) & WEBP_MOVES_FLAG) return 'moves'
      canvas = { width: content.readUIntLE(4, 3) + 1, height: content.readUIntLE(7, 3) + 1 }
      chunk[8] = (content[0] ?? 0) & WEBP_ALPHA_FLAG
    }
    if (type === 'VP8 ' || type === 'VP8L') {
      const size = type === 'VP8 ' ? lossySize(content) : losslessSize(content)
      if (size === null || picture !== null) return null
      picture = size
    }
    if (WEBP_DRAWS.has(type)) chunks.push(chunk)
    at = end
  }
  if (at !== file.length || picture === null) return null
  if (canvas && (canvas.width !== picture.width || canvas.height !== picture.height)) return null
  return { ...picture, kept: [riffHead(chunks), ...chunks] }
}

type Size = { readonly width: number; readonly height: number }

function riffHead(chunks: readonly Buffer[]): Buffer {
  const head = Buffer.from('RIFF____WEBP', 'latin1')
  head.writeUInt32LE(4 + chunks.reduce((sum, chunk) => sum + chunk.length, 0), 4)
  return head
}

/** A key frame of VP8: its start code, then 14 bits each. */
function lossySize(content: Buffer): Size | null {
  const isKeyFrame = content.length >= 10 && ((content[0] ?? 1) & 1) === 0 && content.readUIntBE(3, 3) === 0x9d012a
  return isKeyFrame ? { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff } : null
}

/** 14 bits each, one less than it is. */
function losslessSize(content: Buffer): Size | null {
  if (content.length < 5 || content[0] !== 0x2f) return null
  const bits = content.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
