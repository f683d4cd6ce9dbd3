// The parts of the page that the scripts share: its live region, and the elements by their marks.

/** The page's body as the server drew it; absent on pages without a payment. */
export const mainOf = (from: Document = document): HTMLElement | null => from.getElementById('main')

/** All elements that carry a data attribute, such as `data-copy`. */
export function marked(mark: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[data-${mark}]`)]
}

/** Has a screen reader say it, without moving the focus. */
export function say(text: string): void {
  const region = document.getElementById('said')
  if (region) region.textContent = text
}
