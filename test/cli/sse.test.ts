// The parser of server-sent events against the standard's own examples, and against any way of cutting a stream in pieces.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSseParser, type ServerMessage } from '../../sdk/src/sse.ts'

const parsed = (...chunks: string[]) => {
  const parser = openSseParser()
  return chunks.flatMap((chunk) => [...parser.take(chunk)])
}
const said = (...chunks: string[]) => parsed(...chunks).map(({ type, data }) => [type, data])

// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
test.each<[string, string, [string, string][]]>([
  ['several lines of data', 'data: YHOO\ndata: +2\ndata: 10\n\n', [['message', 'YHOO\n+2\n10']]],
  [
    'a comment, ids, and a space that counts',
    ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n',
    [
      ['message', 'first event'],
      ['message', 'second event'],
    ],
  ],
  [
    'empty data, twice',
    'data\n\ndata\ndata\n\ndata:\n',
    [
      ['message', ''],
      ['message', '\n'],
    ],
  ],
  [
    'the space after the colon',
    'data:test\n\ndata: test\n\n',
    [
      ['message', 'test'],
      ['message', 'test'],
    ],
  ],
  [
    'types, which do not last',
    'event: add\ndata: 73857293\n\ndata: 2\n\n',
    [
      ['add', '73857293'],
      ['message', '2'],
    ],
  ],
  ['a byte order mark at the very beginning', '\ufeffdata: 1\n\n', [['message', '1']]],
  ['fields that nobody knows', 'datum: 1\nDATA: 2\n: 3\ndata: 4\n\n', [['message', '4']]],
  ['a type without data', 'event: lonely\n\n', []],
])('%s', (_name, stream, messages) => {
  expect(said(stream)).toEqual(messages)
  expect(said(stream.replaceAll('\n', '\r\n'))).toEqual(messages)
  expect(said(stream.replaceAll('\n', '\r'), 'x')).toEqual(messages)
  expect(said(...stream.split(''))).toEqual(messages)
})

test('the id lasts, is known after a message, and is taken without one, too', () => {
  const parser = openSseParser('evt_before')
  expect(parser.take('data: 1\n\n')).toEqual([{ id: 'evt_before', type: 'message', data: '1' }])
  expect(parser.take('id: evt_1\ndata: 2\n')).toEqual([])
  // Not before the message is whole: it has not been heard yet.
  expect(parser.lastId()).toBe('evt_before')
  expect(parser.take('\n')).toEqual([{ id: 'evt_1', type: 'message', data: '2' }])
  expect(parser.lastId()).toBe('evt_1')
  parser.take('id: evt_2\n\n')
  expect(parser.lastId()).toBe('evt_2')
  parser.take('id: a\0b\n\n')
  expect(parser.lastId()).toBe('evt_2')
  parser.take('id\n\n')
  expect(parser.lastId()).toBe('')
})

test('how long to wait is a number or is not said', () => {
  const parser = openSseParser()
  expect(parser.retryMs()).toBeNull()
  parser.take('retry: soon\n\nretry: -1\n\n')
  expect(parser.retryMs()).toBeNull()
  parser.take('retry: 2000\n\n')
  expect(parser.retryMs()).toBe(2000)
})

test('a message without an end is refused before it fills the memory', () => {
  const parser = openSseParser()
  const flood = () => {
    for (let i = 0; i < 100; i++) parser.take(`data: ${'x'.repeat(100_000)}\n`)
  }
  expect(flood).toThrow('no end')
})

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replace(/[\r\n\0]/g, ' '))
const anyMessage = fc.record({
  id: anyText,
  type: anyText.filter((text) => text !== ''),
  lines: fc.array(anyText, { minLength: 1, maxLength: 3 }),
})

test('however a stream is cut, the messages are the same', () => {
  const anyEnd = fc.constantFrom('\n', '\r\n', '\r')
  fc.assert(
    fc.property(
      fc.array(anyMessage, { maxLength: 5 }),
      anyEnd,
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (messages, end, sizes) => {
        const written = messages.map(({ id, type, lines }) =>
          [`id: ${id}`, `event: ${type}`, ...lines.map((line) => `data: ${line}`), ': heartbeat', '', ''].join(end),
        )
        // A line's end may be half of one: what follows says that it is whole.
        const stream = `${written.join('')}: the end${end}`
        const chunks: string[] = []
        for (let at = 0; at < stream.length; ) {
          const { value: size } = sizes.next()
          chunks.push(stream.slice(at, at + size))
          at += size
        }
        const expected: ServerMessage[] = messages.map(({ id, type, lines }) => ({ id, type, data: lines.join('\n') }))
        expect(parsed(...chunks)).toEqual(expected)
      },
    ),
  )
})
