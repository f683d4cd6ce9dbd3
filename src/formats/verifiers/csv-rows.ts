// CSV row by row from a stream: what is held is one row, however long the file is. Quotes with line breaks inside, any line end, a
// byte-order mark. The separator is told, for published lists keep to theirs.

/** Longer than any field of a published list: past it the file is no such list. */
const ROW_MAX = 1 << 20

export async function* csvRows(chunks: AsyncIterable<string>, separator: string): AsyncGenerator<string[]> {
  let [cell, row, isQuoted, wasQuote, isFirst] = ['', [] as string[], false, false, true]
  let held = 0
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  for await (const chunk of chunks) {
    const text = isFirst ? chunk.replace(/^\uFEFF/, '') : chunk
    isFirst = false
    for (const letter of text) {
      held += 1
      if (held > ROW_MAX) throw new Error('A row of the file is longer than any row of such a list.')
      if (isQuoted) {
        if (letter === '"') [isQuoted, wasQuote] = [false, true]
        else cell += letter
        continue
      }
      if (letter === '"') {
        // Twice within quotes it is one of the text.
        if (wasQuote) cell += '"'
        isQuoted = true
      } else if (letter === separator) endCell()
      else if (letter === '\n') {
        endCell()
        if (row.some((each) => each !== '')) yield row
        ;[row, held] = [[], 0]
      } else if (letter !== '\r') cell += letter
      wasQuote = false
    }
  }
  if (isQuoted) throw new Error('The file ends within a quote: it is cut off.')
  if (cell !== '' || row.length > 0) {
    endCell()
    if (row.some((each) => each !== '')) yield row
  }
}
