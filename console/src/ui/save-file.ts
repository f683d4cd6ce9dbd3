// A text that was made on the page, given to whoever looks at it as a file.

/** A browser may still read the text some time after it was asked to keep it. */
const KEPT_MS = 60_000

export function saveFile(name: string, type: string, ...text: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
