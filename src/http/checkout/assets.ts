// The script and the style of the payment page, each under an address that names its content: what is at one never changes.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { accentStyle, STYLE } from './style.ts'

/** Where the page finds its style and its scripts. */
export type CheckoutAssets = { readonly style: string; readonly scripts: readonly string[] }

export type CheckoutFile = {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly gzipped: Buffer
}

export type CheckoutFiles = {
  readonly assets: CheckoutAssets
  /** The file at a path below /pay/assets/, or undefined. */
  readonly at: (path: string) => CheckoutFile | undefined
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const STYLE_TYPE = 'text/css; charset=utf-8'
/** The build is beside the sources' folder, whether this runs from the build or from the sources. */
const BUILT = import.meta.url.includes('/dist/src/') ? '../../../pay/src/' : '../../../dist/pay/src/'

/** Reads what the build made of pay/; throws where it is not there. */
export function readCheckoutFiles(): CheckoutFiles {
  const folder = new URL(BUILT, import.meta.url)
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const scripts = names.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const)
  // One name for all: a module finds the others beside it.
  const whole = hashOf(scripts.map(([name, text]) => `${name}\n${text}`).join('\n'))
  const files = new Map<string, CheckoutFile>()
  for (const [name, text] of scripts) files.set(`${whole}/${name}`, fileOf(SCRIPT_TYPE, text))
  const style = `${hashOf(STYLE)}/checkout.css`
  files.set(style, fileOf(STYLE_TYPE, STYLE))
  const assets = { style: `/pay/assets/${style}`, scripts: names.map((name) => `/pay/assets/${whole}/${name}`) }
  return { assets, at: (path) => files.get(path) ?? accentFile(path) }
}

/** Where a page finds what makes a colour of an account's its own. */
export const accentPath = (colour: string) => `/pay/assets/accent/${colour.slice(1)}.css`

/** The colour is all that it is made of, so that its address names its content. */
function accentFile(path: string): CheckoutFile | undefined {
  const [, colour] = /^accent\/([0-9a-f]{6})\.css$/.exec(path) ?? []
  return colour === undefined ? undefined : fileOf(STYLE_TYPE, accentStyle(`#${colour}`))
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

function fileOf(type: string, text: string): CheckoutFile {
  const plain = Buffer.from(text)
  return { type, etag: `"${hashOf(text)}"`, plain, gzipped: gzipSync(plain, { level: 9 }) }
}
