// The header of every message: its own name, and when it was made.
import { dateTime, type Place, text } from './reading.ts'
import { exactDateTime, exactText } from './texts.ts'
import { leaf, sequence, type Xml } from './xml-writing.ts'

/** Max35Text: messages, files, transfers are named with it. */
export const ID_MAX = 35

export type Header = {
  readonly messageId: string
  /** ISODateTime: "2026-07-01T08:00:00.000Z". */
  readonly createdAt: string
}

export function headerLeaves({ messageId, createdAt }: Header): Xml {
  return sequence([leaf('MsgId', exactText(messageId, ID_MAX)), leaf('CreDtTm', exactDateTime(createdAt))])
}

export function headerOf(place: Place): Header {
  return { messageId: text(place, 'MsgId', ID_MAX), createdAt: dateTime(place, 'CreDtTm') }
}
