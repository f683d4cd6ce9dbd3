// In which language samples are shown: the one that was chosen last, on whatever page.

const KEPT = 'gateway-samples'

export function keepChoice(root: HTMLElement): void {
  const chosen = localStorage.getItem(KEPT)
  for (const label of root.querySelectorAll<HTMLLabelElement>('.vp-code-group .tabs label')) {
    if (label.textContent === chosen) label.click()
    label.addEventListener('click', () => localStorage.setItem(KEPT, label.textContent))
  }
}
