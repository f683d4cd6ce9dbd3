// Which characters of a text count: white space and invisible characters at its ends do not, and a name of nothing else
// is no name. Pure.

// Separators, controls and format characters (zero width among them), and the letters and signs that are blank by design.
const UNSEEN = String.raw`[\p{Z}\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]`
const ENDS = new RegExp(`^${UNSEEN}+|${UNSEEN}+$`, 'gu')

/** The text without unseen characters at its ends; null where nothing is left. */
export function seenText(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null
  // Most texts begin and end with a plain character, and need no look at the tables of Unicode.
  if (isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(text.length - 1))) return text
  const seen = text.replace(ENDS, '')
  return seen === '' ? null : seen
}

/**
 * The text without that character at its end, however often it stands there. Goes from the end: a pattern like `0+$` begins anew
 * at each zero of a text, and one of a million zeros keeps a process for minutes.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

const isPlain = (code: number) => code > 0x20 && code < 0x7f

/** Names are compared by their letters and digits alone: case, accents, spaces and punctuation are no difference. */
export function lettersOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
    .normalize('NFC')
}

/**
 * The least of any name, account or place: a letter or a digit, of any script, and none of the letters that are blank. A
 * pattern of ECMA-262 with Unicode, for the whole value.
 */
export const SOMETHING = String.raw`[\s\S]*(?![\u115f\u1160\u3164\uffa0])[\p{L}\p{N}][\s\S]*`
