// Pictures for logos: PNG made here, JPEG and WebP as a browser wrote them (20 × 16 pixels).
import { crc32, deflateSync } from 'node:zlib'

export function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)]
  head.writeUInt32BE(content.length)
  tail.writeUInt32BE(crc32(named))
  return Buffer.concat([head, named, tail])
}

/** A picture of one colour, RGB; `extra` comes before its data. */
export function png(width: number, height: number, extra: readonly Buffer[] = [], rgb = [10, 125, 85]): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(rgb))])
  return pngOf(width, height, 2, extra, Buffer.concat(Array.from({ length: height }, () => row)))
}

/** A picture with transparency, from the colour of each point. */
export function rgba(width: number, height: number, at: (x: number, y: number) => readonly number[]): Buffer {
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_point, x) => at(x, y)).flat()]),
  )
  return pngOf(width, height, 6, [], Buffer.concat(rows))
}

function pngOf(width: number, height: number, colours: number, extra: readonly Buffer[], rows: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, colours, 0, 0, 0], 8)
  const end = pngChunk('IEND', Buffer.alloc(0))
  const chunks = [pngChunk('IHDR', head), ...extra, pngChunk('IDAT', deflateSync(rows)), end]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

export const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAQABQDASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAQFBv/EACAQAAICAgAHAAAAAAAAAAAAAAEDBBEAAhIVUVNhotH/xAAWAQEBAQAAAAAAAAAAAAAAAAAABAX/xAAaEQACAwEBAAAAAAAAAAAAAAAAEQECEhOh/9oADAMBAAIRAxEAPwDl4EGM6GtjF3sbs8R6nKOWxOz7H7k8CdGTDWtjK2F2OE9TlHMone9T8wZ1+upT9MeerRMxi1itRVC/Axie3R0xjFm9TVGvAxgvo8wz/9k=',
  'base64',
)

/** With transparency and a colour profile of `profile`. */
export const webp = (profile: Buffer): Buffer => {
  const picture = Buffer.from(
    'QUxQSBQAAAABDzCAERFCSEDwf7RqQkT/JyD5ZlZQOCBCAAAA8AIAnQEqFAAQAD8RcrBQLCakorAIAYAiCWQAuwAtJAAA/ubO3mqMBAlA//ln3yRG2HulOVMQSP/Z44uv8lCkAAAA',
    'base64',
  )
  const head = Buffer.from('VlA4WAoAAAAwAAAAEwAADwAA', 'base64')
  const content = Buffer.concat([Buffer.from('WEBP'), head, webpChunk('ICCP', profile), picture])
  return webpChunk('RIFF', content)
}

export const LOSSLESS = webpChunk(
  'RIFF',
  Buffer.concat([Buffer.from('WEBP'), Buffer.from('VlA4TBwAAAAvE8ADEA8Q8x8DGAwyaZvUv+i9kxDR/1h+AAAA', 'base64')]),
)

export function webpChunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from(type, 'latin1'), length, content, Buffer.alloc(content.length % 2)])
}

export const dataUri = (type: string, file: Buffer) => `data:${type};base64,${file.toString('base64')}`
