// Buttons and fields that need a script: copying, printing, saving a code, a form that is sent once.
import { marked, say } from './page.ts'

const SHOWN_MS = 2500

export function offerCopies(): void {
  for (const button of marked('copy')) {
    button.hidden = false
    button.addEventListener('click', () => void copied(button))
  }
}

async function copied(button: HTMLElement): Promise<void> {
  const { copy = '', done = '', failed = '' } = button.dataset
  const source = document.getElementById(copy)
  if (!source) return
  const label = button.textContent
  const isCopied = await written(source)
  if (isCopied) {
    button.textContent = done
    setTimeout(() => {
      button.textContent = label
    }, SHOWN_MS)
  }
  say(isCopied ? done : failed)
}

/** Without the right to write to the clipboard, the text is selected for the payer to copy. */
async function written(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(source)
    source.focus()
    return false
  }
}

export function offerPrint(): void {
  for (const button of marked('print')) {
    button.hidden = false
    button.addEventListener('click', () => print())
  }
}

/** Pixels to a module: banks' apps read a picture of this size whole. */
const MODULE_PIXELS = 12

/** The code as a picture, for the app of a bank on this very phone, which takes one in place of its camera. */
export function offerSave(): void {
  for (const button of marked('save')) {
    const code = document.querySelector<SVGSVGElement>('.code svg')
    if (!code) continue
    button.hidden = false
    button.addEventListener('click', () => drawn(code).toBlob((picture) => picture && saved(picture, button)))
  }
}

/** The dark runs are strokes one module wide, on white. */
function drawn(code: SVGSVGElement): HTMLCanvasElement {
  const { width } = code.viewBox.baseVal
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = width * MODULE_PIXELS
  const pen = canvas.getContext('2d')
  if (!pen) return canvas
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.scale(MODULE_PIXELS, MODULE_PIXELS)
  pen.stroke(new Path2D(code.querySelector('path')?.getAttribute('d') ?? ''))
  return canvas
}

function saved(picture: Blob, button: HTMLElement): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(picture)
  link.download = button.dataset['save'] ?? ''
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), SHOWN_MS)
}

const BUSY = 'aria-busy'

/** A second click sends nothing. */
export function sendOnce(): void {
  for (const form of document.querySelectorAll('form')) {
    form.addEventListener('submit', (event) => {
      if (form.getAttribute(BUSY) === 'true') event.preventDefault()
      form.setAttribute(BUSY, 'true')
    })
  }
}

/** A payer who comes back to the page may choose again. */
export function sendAgain(): void {
  for (const form of document.querySelectorAll('form')) form.removeAttribute(BUSY)
}
