// Every point of the payment page on a real server, so that a browser can look at it: the page's own code draws it from
// planted contracts, and no book is behind them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CheckoutFiles, readCheckoutFiles } from '../../src/http/checkout/assets.ts'
import { checkoutPage, plainPage } from '../../src/http/checkout/page.ts'
import { checkoutStatus } from '../../src/http/checkout/status.ts'
import { checkoutView, type CheckoutView } from '../../src/http/checkout/view.ts'
import { languageIn } from '../../src/http/checkout/words.ts'
import { BRAND, BRANDS, METHODS, METHODS_OF, NAMES, NOW, STATES } from './planted.ts'

export type Gallery = { readonly url: string; readonly close: () => void }

export function viewOf(name: string, wantsChoice = false): CheckoutView {
  const planted = STATES[name]
  if (!planted) throw new Error(`no state is called ${name}`)
  return checkoutView(planted, {
    token: name,
    baseUrl: 'https://gateway.example.com',
    brand: BRANDS[name] ?? BRAND,
    methods: METHODS_OF[name] ?? METHODS,
    channelName: ({ kind }) => NAMES[kind],
    nowMs: NOW,
    wantsChoice,
  })
}

/** Serves /pay/{state}, with `?lang=` and `?problem=`. */
export async function openGallery(): Promise<Gallery> {
  const files = readCheckoutFiles()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://gallery')
    const { type, body, status } = replyTo(files, url)
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function replyTo(files: CheckoutFiles, { pathname, searchParams }: URL) {
  const html = 'text/html; charset=utf-8'
  const [, , name = '', rest] = pathname.split('/')
  const file = files.at(pathname.replace('/pay/assets/', ''))
  if (file) return { type: file.type, body: file.plain, status: 200 }
  const language = languageIn(searchParams.get('lang')) ?? 'en'
  if (name === 'not-found' || name === 'fault')
    return { type: html, body: plainPage(name === 'fault' ? 'fault' : 'notFound', language, files.assets), status: 404 }
  if (!STATES[name] || rest === 'events') return { type: 'text/plain', body: '', status: 404 }
  const view = viewOf(name, searchParams.has('choose'))
  if (rest === 'status') return { type: 'application/json', body: JSON.stringify(checkoutStatus(view)), status: 200 }
  const problem = searchParams.has('problem') ? ('method' as const) : null
  const look = { language, isLanguageNamed: true, problem, isBack: rest === 'return', isLeaving: false }
  return { type: html, body: checkoutPage(view, look, files.assets), status: 200 }
}
