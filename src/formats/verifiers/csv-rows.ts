// CSV row by row from a stream: what is held is one row, however long the file is. Quotes with line breaks inside, any line end, a
// byte-order mark. A quote opens at the start of a cell alone (RFC 4180): one within a text stands for itself. The separator is told, for
// published lists keep to theirs.

/** Longer than any field of a published list: past it the file is no such list. */
const ROW_MAX = 1 << 20

/** Throws where a row is too long, where the file ends within a quote, and where text follows a closing quote. */
export async function* csvRows(chunks: AsyncIterable<string>, separator: string): AsyncGenerator<string[]> {
  let [cell, row, isQuoted, wasQuote, isFirst] = ['', [] as string[], false, false, true]
  let [held, number] = [0, 1]
  let isClosed = false
  const endCell = () => {
    row.push(cell)
    ;[cell, isClosed] = ['', false]
  }
  for await (const chunk of chunks) {
    const text = isFirst ? chunk.replace(/^\uFEFF/, '') : chunk
    isFirst = false
    for (const letter of text) {
      held += 1
      if (held > ROW_MAX) throw new Error('A row of the file is longer than any row of such a list.')
      if (isQuoted) {
        if (letter === '"') [isQuoted, wasQuote, isClosed] = [false, true, true]
        else cell += letter
        continue
      }
      // Twice within quotes it is one of the text.
      if (letter === '"' && wasQuote) [cell, isQuoted] = [`${cell}"`, true]
      else if (letter === '"' && cell === '' && !isClosed) isQuoted = true
      else if (letter === separator) endCell()
      else if (letter === '\n') {
        endCell()
        if (row.some((each) => each !== '')) yield row
        ;[row, held, number] = [[], 0, number + 1]
      } else if (isClosed && letter.trim() !== '') {
        throw new Error(`Row ${number} of the file has text after a closing quote: quotes within a text are doubled.`)
      } else if (letter !== '\r' && !isClosed) cell += letter
      wasQuote = false
    }
  }
  if (isQuoted) throw new Error('The file ends within a quote: it is cut off.')
  if (cell !== '' || row.length > 0) {
    endCell()
    if (row.some((each) => each !== '')) yield row
  }
}
