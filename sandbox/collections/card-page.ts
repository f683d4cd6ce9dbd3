// The provider's own page for a card: the payer types it here, and nowhere else. Its number goes no further than this file's
// reader; a bank that wants to see the payer asks for its code next.
import { cardIn } from '../rails/card-fields.ts'
import { readOr } from '../rails/request-fields.ts'
import type { CollectBooks } from './collect-books.ts'
import type { CardToken } from './card-tokens.ts'
import type { Collection } from './collections.ts'

/** What follows from what the payer sent: the card, read; a question of its bank; or what is wrong with it. */
export type TypedCard =
  | { readonly kind: 'card'; readonly card: CardToken }
  | { readonly kind: 'challenge'; readonly card: CardToken }
  | { readonly kind: 'fault'; readonly fault: string }

/** Whether the payer has still to give a card. */
export const needsCard = ({ rail, card }: Collection) => rail === 'card' && card === null

export function typedCard(books: CollectBooks, form: URLSearchParams): TypedCard {
  const known = books.token(form.get('token') ?? '')
  if (known) return { kind: 'card', card: known }
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(form.get('expiry') ?? '') ?? []
  const number = form.get('number') ?? ''
  const fields = { number, cvc: form.get('cvc')?.trim(), exp_month: Number(month), exp_year: 2000 + Number(year) }
  const read = readOr(() => cardIn(fields))
  if (typeof read === 'string')
    return { kind: 'fault', fault: 'Check the number, the expiry date and the code of the card.' }
  const card = books.addToken(read)
  return { kind: card.behaviour === 'challenges' ? 'challenge' : 'card', card }
}

export const CARD_FIELDS = `<p><label for="number">Card number</label>
<input id="number" name="number" inputmode="numeric" autocomplete="cc-number" required aria-describedby="tests"></p>
<p><label for="expiry">Expires (MM/YY)</label>
<input id="expiry" name="expiry" inputmode="numeric" autocomplete="cc-exp" placeholder="12/34" required></p>
<p><label for="cvc">Code on the back (CVC)</label>
<input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" maxlength="4" required></p>
<p id="tests">Test cards, with any later date and any code: 4242 4242 4242 4242 is accepted, 4000 0000 0000 3220 is asked for a code
by its bank, 4000 0000 0000 0002 is declined, 4000 0000 0000 9995 lacks money.</p>`
