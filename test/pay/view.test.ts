// What the payment page shows as a function of the contract: states, money that does not fit, languages, colours, words.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_BRAND } from '../../src/domain/account/brand.ts'
import { refuse } from '../../src/domain/contract/refusals.ts'
import { ENGLISH } from '../../src/http/checkout/english.ts'
import { FILIPINO } from '../../src/http/checkout/filipino.ts'
import { formFields, isFromElsewhere, methodBody, problemOf } from '../../src/http/checkout/form.ts'
import { checkoutStatus } from '../../src/http/checkout/status.ts'
import { THEMES } from '../../src/http/checkout/style.ts'
import { checkoutView, webUrl } from '../../src/http/checkout/view.ts'
import { languageLiked, sensibleAmount } from '../../src/http/checkout/words.ts'
import { html, trusted } from '../../src/http/checkout/html.ts'
import { viewOf } from './gallery.ts'
import { ADDRESS, attempt, METHODS, NOW, payment, QUOTE } from './planted.ts'

const FACTS = {
  token: 't',
  baseUrl: 'https://gateway.example.com',
  brand: { ...NO_BRAND, name: 'Merchant' },
  methods: METHODS,
  channelName: () => 'Channel',
  nowMs: NOW,
  wantsChoice: false,
}

describe('the point at which a payment stands', () => {
  test.each([
    ['choose', 'choose'],
    ['failed-declined', 'choose'],
    ['starting', 'starting'],
    ['redirect', 'redirect'],
    ['qr', 'qr'],
    ['part', 'address'],
    ['lapsed', 'lapsed'],
    ['confirming', 'processing'],
    ['cancelling', 'closing'],
    ['paid-card', 'paid'],
    ['cancelled', 'cancelled'],
    ['late', 'expired'],
  ])('%s is shown as %s', (name, state) => {
    expect(viewOf(name).state).toBe(state)
  })

  test('who looks for another way sees the choice, but not past what can no longer be changed', () => {
    for (const name of ['starting', 'redirect', 'qr', 'address']) expect(viewOf(name, true).state).toBe('choose')
    for (const name of ['processing', 'cancelling', 'paid']) expect(viewOf(name, true).state).not.toBe('choose')
  })

  test('time that passes changes it although nothing was written', () => {
    const open = payment({ attempts: [attempt('crypto', { nextAction: ADDRESS, quote: QUOTE })] })
    const at = (nowMs: number) => checkoutView(open, { ...FACTS, nowMs })
    expect(at(ADDRESS.expiresAt - 1)).toMatchObject({ state: 'address', dueAt: ADDRESS.expiresAt })
    expect(at(ADDRESS.expiresAt).state).toBe('lapsed')
    expect(at(open.expiresAt).state).toBe('closing')
    expect(checkoutView(payment(), { ...FACTS, nowMs: open.expiresAt }).state).toBe('expired')
    const stamps = [ADDRESS.expiresAt - 1, ADDRESS.expiresAt, open.expiresAt].map((nowMs) => at(nowMs).stamp)
    expect(new Set(stamps).size).toBe(3)
  })

  test('what most payers look for stands first', () => {
    const backwards = METHODS.toReversed()
    const { methods } = checkoutView(payment(), { ...FACTS, methods: backwards })
    expect(methods.map(({ kind }) => kind)).toEqual(['gcash', 'maya', 'qr', 'card', 'crypto'])
  })

  test('a wallet of this gateway, and a card whose provider has no page, are no ways for a payer with this page alone', () => {
    const kindsOf = (methods: typeof METHODS) =>
      checkoutView(payment(), { ...FACTS, methods }).methods.map(({ kind }) => kind)
    const tokenized = METHODS.map((each) => ({ ...each, hosted: false }))
    expect(kindsOf(tokenized)).toEqual(['gcash', 'maya', 'qr', 'crypto'])
    const only = (...kinds: string[]) => tokenized.filter(({ kind }) => kinds.includes(kind))
    expect(kindsOf(only('card'))).toEqual([])
    // Whoever fixed the wallet as the one way means its holder.
    expect(kindsOf(only('wallet', 'card'))).toEqual(['wallet'])
  })

  test('a wallet’s attempt, which waits for its holder, leaves the choice open', () => {
    expect(checkoutView(payment({ attempts: [attempt('wallet')] }), FACTS).state).toBe('choose')
  })
})

describe('money', () => {
  test.each([
    ['part', [{ kind: 'part', amountMinor: 50_000n, restMinor: 76_000n }]],
    ['failed-amount', [{ kind: 'unfit', amountMinor: 5000n }]],
    ['excess', [{ kind: 'excess', amountMinor: 10_000n }]],
    [
      'refunded',
      [
        { kind: 'refunded', amountMinor: 50_000n },
        { kind: 'returning', amountMinor: 10_000n },
      ],
    ],
    ['late', [{ kind: 'late', amountMinor: 125_000n }]],
    ['held', [{ kind: 'held', amountMinor: 125_000n }]],
    ['paid', []],
  ])('%s is told', (name, notices) => {
    expect(viewOf(name).notices).toMatchObject(notices)
    expect(viewOf(name).notices).toHaveLength(notices.length)
  })

  test('after a part the code asks for the rest alone, at the price of the attempt', () => {
    const action = viewOf('part').attempt?.action
    // 760.00 PHP at 56.40, rounded up to the unit: who pays this has paid all.
    expect(action).toMatchObject({ type: 'display_address', amount: '13.475178', address: ADDRESS.address })
    expect(action).toHaveProperty('uri', expect.stringMatching(/uint256=13475178$/))
  })

  test('nothing is final while money is still to come or to go', () => {
    const finals = ['choose', 'part', 'processing', 'excess', 'refunded', 'late', 'held'].map(
      (name) => viewOf(name).isFinal,
    )
    expect(finals).toEqual(finals.map(() => false))
    for (const name of ['paid', 'cancelled', 'expired']) expect(viewOf(name).isFinal).toBe(true)
  })
})

test('the status says no more than the page', () => {
  const text = JSON.stringify(checkoutStatus(viewOf('address')))
  for (const inside of ['secret@example.com', 'kept apart', '000000000001', 'pay_1', 'quote'])
    expect(text).not.toContain(inside)
  expect(JSON.parse(text)).toMatchObject({ status: 'issued', amount: 1250, attempt: { amount: 1260, fee: 10 } })
})

test.each([
  ['https://shop.example.com/done?a=1', 'https://shop.example.com/done?a=1'],
  ['HTTP://shop.example.com', 'http://shop.example.com/'],
  ['javascript:alert(1)', null],
  [' java\nscript:alert(1)', null],
  ['data:text/html,x', null],
  ['//shop.example.com', null],
  ['', null],
  [null, null],
])('%s leads to %s', (text, url) => {
  expect(webUrl(text)).toBe(url)
})

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['fil', 'fil'],
  ['tl-PH', 'fil'],
  ['en-PH,fil;q=0.9', 'en'],
  ['fil;q=0.5, en;q=0.4', 'fil'],
  ['fil;q=0, en', 'en'],
  ['fr, fil;q=0.1', 'fil'],
  ['fil;q=x', 'en'],
])('of the languages %s the page takes %s', (header, language) => {
  expect(languageLiked(header)).toBe(language)
})

test.each([
  ['22.340426', '22.340426'],
  ['1', '1'],
  ['0.00012345', '0.00012345'],
  ['0.004123456789012345', '≈\u00a00.00412346'],
  ['0.999999999999999999', '≈\u00a01'],
  ['12.000000000000000001', '≈\u00a012.0001'],
  ['15873015.873015873015873016', '≈\u00a015873016'],
  ['123456789', '123456789'],
  ['0.000000000000000001', '0.000000000000000001'],
])('%s of a crypto asset is said as %s', (exact, said) => {
  expect(sensibleAmount(exact)).toBe(said)
})

test('what is said of an amount of a crypto asset is enough, by a part in 100,000 at most too much, and short', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 26n }), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
      const digits = String(units).padStart(decimals + 1, '0')
      const exact = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
      const said = sensibleAmount(exact).replace('≈\u00a0', '')
      const [whole = '', after = ''] = said.split('.')
      const saidUnits = BigInt(whole + after.padEnd(decimals, '0'))
      expect(saidUnits).toBeGreaterThanOrEqual(units)
      expect((saidUnits - units) * 100_000n).toBeLessThanOrEqual(units)
      const counting = (whole + after).replace(/^0+/, '').length
      expect(said === exact || counting <= Math.max(7, whole.length)).toBe(true)
    }),
  )
})

test('both languages say everything, and neither has a gap', () => {
  const said = (words: object): [string, string][] =>
    Object.entries(words).flatMap(([name, value]): [string, string][] => {
      if (typeof value === 'function') return [[name, (value as (...parts: string[]) => string)('ONE', 'TWO')]]
      return typeof value === 'string'
        ? [[name, value]]
        : said(value as object).map(([at, text]) => [`${name}.${at}`, text])
    })
  const [english, filipino] = [said(ENGLISH), said(FILIPINO)]
  expect(filipino.map(([name]) => name)).toEqual(english.map(([name]) => name))
  for (const [index, [name, text]] of filipino.entries()) {
    expect(text.trim(), name).not.toBe('')
    for (const part of ['ONE', 'TWO', '{n}'])
      expect(text.includes(part), `${name}: ${part}`).toBe(english[index]?.[1].includes(part))
  }
})

describe('colours', () => {
  const channel = (part: string) => {
    const value = Number.parseInt(part, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const light = (colour: string) =>
    0.2126 * channel(colour.slice(1, 3)) + 0.7152 * channel(colour.slice(3, 5)) + 0.0722 * channel(colour.slice(5, 7))
  const ratio = (one: string, other: string) => {
    const [more = 0, less = 0] = [light(one), light(other)].toSorted((a, b) => b - a)
    return (more + 0.05) / (less + 0.05)
  }

  test.each(Object.entries(THEMES))('%s: text reaches 4.5, edges 3', (_name, theme) => {
    const grounds = [theme.ground, theme.card, theme.hover]
    const pairs = grounds.flatMap((ground) =>
      [theme.text, theme.soft, theme.accent].map((ink) => [ink, ground] as const),
    )
    const inks = (['button', 'info', 'warn', 'bad', 'good', 'test'] as const).map(
      (name) => [theme[`ink-${name}`], theme[name]] as const,
    )
    for (const [ink, ground] of [...pairs, ...inks, [theme['ink-bad'], theme.card] as const])
      expect(ratio(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    expect(ratio(theme.edge, theme.card)).toBeGreaterThanOrEqual(3)
    expect(ratio('#000000', '#ffffff')).toBeCloseTo(21)
  })
})

describe('the form', () => {
  test('becomes what the API takes', () => {
    expect(methodBody(formFields('type=gcash'))).toEqual({ type: 'gcash', gcash: {} })
    expect(methodBody(formFields('type=qr'))).toEqual({ type: 'qr', qr: { scheme: 'qrph' } })
    // Whatever is typed beside it goes no further.
    expect(methodBody(formFields('type=card&token=4242424242424242'))).toEqual({ type: 'card', card: { hosted: true } })
    const crypto = { asset: 'USDC', network: 'eip155:1', refund_address: null }
    expect(methodBody(formFields('type=crypto&asset=USDC&network=eip155%3A1&refund_address='))).toEqual({
      type: 'crypto',
      crypto,
    })
    expect(methodBody(formFields('type=gcash&type=card')).type).toBe('gcash')
  })

  test.each([
    [{}, false],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'same-site' }, true],
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ origin: 'https://pay.example.com' }, false],
    [{ origin: 'https://inside:3000', host: 'inside:3000' }, false],
    [{ origin: 'https://evil.example.com', host: 'inside:3000' }, true],
    [{ origin: 'null' }, false],
  ])('sent with %j comes from elsewhere: %s', (headers, verdict) => {
    expect(isFromElsewhere(headers, 'https://pay.example.com')).toBe(verdict)
  })

  test('a refusal is told in words for payers, or by the page itself', () => {
    expect(problemOf(refuse('payment_processing', 'payment', ''))).toBe('processing')
    expect(problemOf(refuse('payment_attempts_exhausted', 'payment', ''))).toBe('exhausted')
    expect(problemOf(refuse('contract_cancelled', 'id', ''))).toBeNull()
    expect(problemOf(refuse('payment_not_payable', 'payment', ''))).toBe('method')
  })
})

test('html escapes text in elements and in attributes, once, and leaves markup of ours', () => {
  const hostile = `<b a="1" c='2'>&amp;</b>`
  const escaped = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;'
  expect(html`<p title="${hostile}">${hostile}</p>`.markup).toBe(`<p title="${escaped}">${escaped}</p>`)
  expect(html`<ul>${[hostile, 'x'].map((each) => html`<li>${each}</li>`)}</ul>`.markup).toBe(
    `<ul><li>${escaped}</li><li>x</li></ul>`,
  )
  expect(html`${trusted('<i>')}${1}`.markup).toBe('<i>1')
})
