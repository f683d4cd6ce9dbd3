// Server-sent events as text, after the WHATWG HTML standard (9.2.6): chunks in, messages out. Knows no network.

export type ServerMessage = {
  /** The id that a reader names when it comes back; that of an earlier message where this one has none of its own. */
  readonly id: string
  readonly type: string
  readonly data: string
}

export type SseParser = {
  /** The messages that are whole with this chunk. Throws when a message grows without end. */
  readonly take: (chunk: string) => readonly ServerMessage[]
  /** The id to come back with, also where it came without a message. Empty before the first. */
  readonly lastId: () => string
  /** Whether the server has said where the stream begins: the first blank line has come. */
  readonly isBegun: () => boolean
  /** What the server wants a reader to wait before it comes back, in milliseconds, or null. */
  readonly retryMs: () => number | null
}

const MESSAGE_CHARS_MAX = 4 << 20

/** A parser for one connection. `lastId` is that of the connection before. */
export function openSseParser(lastId = ''): SseParser {
  let rest = ''
  let isFirst = true
  let isBegun = false
  let id = lastId
  let known = lastId
  let retry: number | null = null
  let type = ''
  let data: string[] = []

  const take = (chunk: string): readonly ServerMessage[] => {
    const text = rest + (isFirst ? chunk.replace(/^\ufeff/, '') : chunk)
    if (chunk !== '') isFirst = false
    const { lines, left } = wholeLines(text)
    rest = left
    if (rest.length + sizeOf(data) > MESSAGE_CHARS_MAX) throw new Error('a message of the event stream has no end')
    return lines.flatMap((line) => (line === '' ? dispatched() : note(line)))
  }

  const dispatched = (): ServerMessage[] => {
    known = id
    isBegun = true
    const messages = data.length === 0 ? [] : [{ id, type: type || 'message', data: data.join('\n') }]
    type = ''
    data = []
    return messages
  }

  const note = (line: string): ServerMessage[] => {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') type = value
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) retry = Number(value)
    return []
  }

  return { take, lastId: () => known, isBegun: () => isBegun, retryMs: () => retry }
}

const sizeOf = (data: readonly string[]) => data.reduce((sum, line) => sum + line.length, 0)

/** Lines end with LF, CR or CRLF. A CR at the very end may be half of a CRLF: it waits for the next chunk. */
function wholeLines(text: string): { readonly lines: readonly string[]; readonly left: string } {
  const end = text.endsWith('\r') ? text.length - 1 : text.length
  const lines = text.slice(0, end).split(/\r\n|\n|\r/)
  const last = lines.pop() ?? ''
  return { lines, left: last + text.slice(end) }
}
