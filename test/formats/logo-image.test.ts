// Logos: what is no picture of its type is refused, whatever it calls itself, and of what is one only the picture is kept.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LOGO_BYTES_MAX, logoUri, readLogo, readLogoFile } from '../../src/formats/logo-image.ts'
import { dataUri, JPEG, LOSSLESS, png, pngChunk, webp, webpChunk } from './logo-samples.ts'

const SCRIPT = '<script>alert(1)</script>'
const EXIF = Buffer.from('Exif\0\0GPS 14.5995N 120.9842E')

function faultOf(uri: string): string {
  const read = readLogo(uri)
  return 'fault' in read ? read.fault : `accepted as ${read.type}, ${read.width} × ${read.height}`
}

describe('pictures are taken', () => {
  test.each([
    ['image/png', png(20, 16)],
    ['image/jpeg', JPEG],
    ['image/webp', webp(Buffer.from('profile'))],
    ['image/webp', LOSSLESS],
  ])('%s, with its size', (type, file) => {
    const read = readLogo(dataUri(type, file))
    expect(read).toMatchObject({ type, width: 20, height: 16 })
    expect(readLogoFile(file)).toEqual(read)
    // What is kept is a picture of its own, and stays as it is.
    if ('fault' in read) throw new Error(read.fault)
    expect(readLogo(logoUri(read))).toEqual(read)
  })

  test.each([
    ['image/png', png(20, 16, [pngChunk('tEXt', Buffer.from(`Comment\0${SCRIPT}`)), pngChunk('eXIf', EXIF)])],
    ['image/jpeg', withSegments(JPEG, [0xe1, EXIF], [0xfe, Buffer.from(SCRIPT)])],
    ['image/webp', webp(Buffer.concat([EXIF, Buffer.from(SCRIPT)]))],
  ])('%s: nothing is kept of where it was taken, nor of what was hidden in it', (type, file) => {
    expect(file.includes('GPS') && file.includes(SCRIPT)).toBe(true)
    const read = readLogo(dataUri(type, file))
    if ('fault' in read) throw new Error(read.fault)
    expect(read.bytes.includes('GPS') || read.bytes.includes('script')).toBe(false)
    expect(read.bytes.length).toBeLessThan(file.length)
  })
})

describe('anything else is refused', () => {
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`)
  const gif = Buffer.from('GIF89a\x14\0\x10\0')
  const big = png(20, 16, [pngChunk('tRNS', Buffer.alloc(LOGO_BYTES_MAX))])
  const animated = png(20, 16, [pngChunk('acTL', Buffer.alloc(8))])
  const moving = webp(Buffer.alloc(0))
  moving[20] = 0x12
  test.each([
    ['no data URI', 'https://shop.example/logo.png', /data URI/],
    ['a script', `javascript:alert(1)//data:image/png;base64,${png(20, 16).toString('base64')}`, /data URI/],
    ['HTML', dataUri('text/html', Buffer.from(SCRIPT)), /not text\/html/],
    ['SVG', dataUri('image/svg+xml', svg), /not image\/svg\+xml/],
    ['SVG as PNG', dataUri('image/png', svg), /not the bytes of image\/png/],
    ['GIF', dataUri('image/gif', gif), /not image\/gif/],
    ['a JPEG called PNG', dataUri('image/png', JPEG), /not the bytes of image\/png/],
    ['parameters', dataUri('image/png;charset=x', png(20, 16)), /data URI/],
    ['not base64', 'data:image/png,%89PNG', /data URI/],
    ['too much', dataUri('image/png', big), /at most 32 KiB, and this has 33 KiB/],
    ['too wide', dataUri('image/png', png(1025, 16)), /16 to 1024 pixels .* 1025 × 16/],
    ['a tracking dot', dataUri('image/png', png(1, 1)), /16 to 1024 pixels/],
    ['a PNG that moves', dataUri('image/png', animated), /does not move/],
    ['a WebP that moves', dataUri('image/webp', moving), /does not move/],
    ['HTML behind a PNG', dataUri('image/png', Buffer.concat([png(20, 16), Buffer.from(SCRIPT)])), /nothing behind it/],
    [
      'an archive behind a JPEG',
      dataUri('image/jpeg', Buffer.concat([JPEG, Buffer.from('PK\x03\x04')])),
      /nothing behind/,
    ],
    ['a script behind a WebP', dataUri('image/webp', Buffer.concat([LOSSLESS, Buffer.from(SCRIPT)])), /nothing behind/],
    ['a script in a chunk of no picture', dataUri('image/webp', webpOf('EXIF')), /a whole image\/webp/],
    ['half a PNG', dataUri('image/png', png(20, 16).subarray(0, 60)), /a whole image\/png/],
    ['a head alone', dataUri('image/png', png(20, 16).subarray(0, 8)), /a whole image\/png/],
  ])('%s', (_, uri, words) => expect(faultOf(uri)).toMatch(words))

  test('whatever bytes are cut, changed or put in, it is a picture within the bounds or refused, and never a fault', () => {
    const samples = [png(20, 16), JPEG, webp(Buffer.from('profile')), LOSSLESS]
    let taken = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
        fc.nat(),
        fc.uint8Array({ maxLength: 3 }),
        (sample, changes, at, put) => {
          const file = Buffer.from(sample)
          for (const [place, value] of changes) file[place % file.length] = value
          const cut = at % file.length
          const read = readLogoFile(Buffer.concat([file.subarray(0, cut), put, file.subarray(cut)]))
          const isTaken = !('fault' in read)
          if (isTaken) taken++
          const isSmall = isTaken && read.bytes.length <= LOGO_BYTES_MAX && Math.max(read.width, read.height) <= 1024
          expect(!isTaken || isSmall).toBe(true)
          expect(isTaken ? readLogo(logoUri(read)) : null).toEqual(isTaken ? read : null)
        },
      ),
      { numRuns: 3000 },
    )
    expect(taken).toBeGreaterThan(0)
  })
})

function webpOf(type: string): Buffer {
  return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), webpChunk(type, Buffer.from(SCRIPT))]))
}

/** After the first segment. */
function withSegments(jpeg: Buffer, ...segments: readonly (readonly [number, Buffer])[]): Buffer {
  const made = segments.map(([marker, content]) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(content.length + 2, 2)
    return Buffer.concat([head, content])
  })
  return Buffer.concat([jpeg.subarray(0, 20), ...made, jpeg.subarray(20)])
}
