// The few pictures of the payment page, drawn in the colour of the text around them. Each stands beside text that says
// the same, so that a screen reader skips it.
import type { MethodForm } from '../../domain/payment/kinds.ts'
import { type Html, trusted } from './html.ts'

const PATHS = {
  phone: '<rect x="7" y="2.5" width="10" height="19" rx="2.2"/><path d="M10.5 18.5h3"/>',
  code: '<path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM17.5 17.5H20V20h-2.5zM20 14v1M14 19.5V20"/>',
  card: '<rect x="2.5" y="5" width="19" height="14" rx="2.2"/><path d="M2.5 10h19M6 15h4"/>',
  wallet:
    '<path d="M4 7.5h14.5a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2H5.5a2 2 0 0 1-2-2V6.5a2 2 0 0 1 2-2H17v3M16.5 13.75h.5"/>',
  coin: '<circle cx="12" cy="12" r="9"/><path d="m12 6.5 4 5.5-4 5.5L8 12z"/>',
  done: '<circle cx="12" cy="12" r="9.25"/><path d="m7.75 12.25 3 3 5.5-6.25"/>',
  stop: '<circle cx="12" cy="12" r="9.25"/><path d="m9 9 6 6m0-6-6 6"/>',
  note: '<circle cx="12" cy="12" r="9.25"/><path d="M12 7.5v5.25m0 3.25v.25"/>',
  next: '<path d="m9 5.5 6.5 6.5L9 18.5"/>',
  scan: '<path d="M3.5 8V5.5a2 2 0 0 1 2-2H8m8 0h2.5a2 2 0 0 1 2 2V8m0 8v2.5a2 2 0 0 1-2 2H16m-8 0H5.5a2 2 0 0 1-2-2V16M3.5 12h17"/>',
} as const

export type Icon = keyof typeof PATHS

export function icon(name: Icon): Html {
  return trusted(
    `<svg class="icon" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${PATHS[name]}</svg>`,
  )
}

export const FORM_ICONS: Readonly<Record<MethodForm, Icon>> = {
  e_wallet: 'phone',
  code: 'scan',
  card_token: 'card',
  own_wallet: 'wallet',
  asset: 'coin',
}
