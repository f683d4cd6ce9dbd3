// What every rail that pays out does alike: take an order once under its reference, play its scenario, answer, and
// report afterwards what became of it. What a rail does in its own way is its PayoutForm.
import type { Books } from '../books/books.ts'
import { digestOf, type Entry, isSameOrder, type Order, type Rail, type Verdict } from '../books/orders.ts'
import { statementOf } from '../books/statement.ts'
import { railBooks } from '../books/truth.ts'
import { eventOf } from '../events/rail-events.ts'
import { consider, inquiryPlay } from '../play.ts'
import { faulty, type HttpRequest, json, listed, playedOn, problem, type Reply } from '../replies.ts'
import type { Call, Handler } from '../routing.ts'
import { ACCOUNT_CLOSED, isBefore } from '../scenarios.ts'
import type { Codes } from '../text/codes.ts'

const EVENTS_MAX = 1_000

export type PayoutForm = {
  readonly rail: Rail
  readonly codes: Codes
  /** The answer about an order as it stands; `asked` is the order that the caller sent, where it answers one. */
  readonly present: (books: Books, entry: Entry, asked?: Order) => Reply
}

/** Of a rail that takes its orders one by one. */
export type OrderForm = PayoutForm & {
  /** Throws Malformed. */
  readonly orderOf: (request: HttpRequest) => Order
  /** Why the rail refuses an order, whatever its scenario. */
  readonly refusalOf: (order: Order) => Verdict | null
  /** The answer to an order whose reference stands for another one already. */
  readonly mismatch: (books: Books, known: Entry, asked: Order) => Reply
}

export function submitPayout(form: OrderForm): Handler {
  return ({ books, request }) => {
    const order = form.orderOf(request)
    const { known, plan, wire } = consider(books, order, form.refusalOf(order))
    if (isBefore(wire)) return faulty(wire)
    if (known && !isSameOrder(known, order)) return playedOn(form.mismatch(books, known, order), wire)
    return playedOn(form.present(books, known ?? books.execute(order, plan), order), wire)
  }
}

/** How a rail answers inquiries, and the truth about its orders. */
export function payoutHandlers(form: PayoutForm) {
  const { rail, codes } = form
  function inquired(books: Books, reference: string, answer: (found: Reply | null) => Reply): Reply {
    const entry = books.find(rail, reference)
    const { fault, isHidden, isLie } = inquiryPlay(books, entry ?? { rail, reference }, entry?.createdAtMs)
    if (fault) return faulty(fault)
    if (!entry || isHidden) return answer(null)
    return answer(form.present(books, isLie ? { ...entry, ...ACCOUNT_CLOSED } : entry))
  }
  function events({ books, request }: Call): Reply {
    const after = request.url.searchParams.get('after') ?? '0'
    if (!/^\d{1,15}$/.test(after)) return problem(400, 'invalid_request', '`after` is the number of an event.')
    const found = books.railEvents(rail, Number(after), EVENTS_MAX)
    const shown = found.map((event) => eventOf(books, codes, event))
    return json({ events: shown, next: found.at(-1)?.number ?? Number(after) })
  }
  const truth = {
    [`GET /${rail}/events`]: events,
    [`GET /${rail}/books`]: ({ books }: Call) => railBooks(books, rail, codes, null),
    [`GET /${rail}/books/*`]: ({ books, id }: Call) => railBooks(books, rail, codes, id),
  }
  return {
    /** By the reference in the path. */
    show: (notFound: Reply): Handler => {
      return ({ books, id }) => inquired(books, id, (found) => found ?? notFound)
    },
    /** By the reference in that parameter of the query. */
    list: (parameter: string): Handler => {
      return ({ books, request }) => inquired(books, request.url.searchParams.get(parameter) ?? '', listed)
    },
    events,
    /** The routes of its later events and its books, whatever the inquiries answer. */
    truth,
    /** The same with its statements. */
    records: { ...truth, [`GET /${rail}/statements/*`]: ({ books, id }: Call) => statementOf(books, rail, codes, id) },
  }
}

export function refused(code: string, message: string): Verdict {
  return { status: 'refused', code, message }
}

export function refuseOtherThanPesos({ currency }: Order): Verdict | null {
  return currency === 'PHP' ? null : refused('wrong_currency', 'Only PHP is taken.')
}

export function refuseNameless({ name }: Order): Verdict | null {
  return name === null ? refused('name_missing', 'The creditor has no name.') : null
}

type WalletOrder = Pick<Order, 'reference' | 'amount' | 'currency' | 'account' | 'name'>

/** An order to a mobile wallet: the account and the name must be the same under one reference. */
export function walletOrder(rail: Rail, asked: WalletOrder): Order {
  const { reference, amount, currency, account, name } = asked
  const digest = digestOf({ account, name })
  return { rail, reference, amount, currency, account, bank: null, name, envelope: null, digest }
}
