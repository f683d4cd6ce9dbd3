// Where a refund or a return may go that has no way back: the console offers the channels that the gateway takes, and asks for all that
// each of them wants of a recipient.
import { describe, expect, test } from 'vitest'
import { BACK, payingOut, placeOf } from '../../../console/src/payments/elsewhere.ts'
import { fieldsOf, NO_RECIPIENT, type RecipientField } from '../../../console/src/transfers/fields.ts'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { channelFacts } from '../../../src/domain/channel/config.ts'
import { isForMode } from '../../../src/domain/channel/modes.ts'
import { isValid, previewOf } from '../../../src/domain/contract/preview.ts'
import { CURRENCIES, digitsOf } from '../../../src/domain/money/currencies.ts'
import { recipientOf } from '../../../src/domain/payment/payment.ts'
import { presentChannel } from '../../../src/wire/channels.ts'
import type { Channel } from '../../../sdk/src/index.ts'

const modeOf = (id: string) => (id === 'wallet' ? 'both' : id === 'pesonet' ? 'live' : 'test')
const FACTS = SHIPPED_CHANNELS.map((channel) => channelFacts(channel, 1, modeOf(channel.id)))
const CHANNELS = FACTS.map((channel) => presentChannel('http://gateway.test', channel) as unknown as Channel)
const WALLET = '0198c0de-0000-7000-8000-000000000001'
/** As somebody types it; only a wallet of this gateway has an id for its account. */
const typed = (channel: string): Readonly<Record<RecipientField, string>> => ({
  ...NO_RECIPIENT,
  name: ' Ana Cruz ',
  wallet: channel === 'wallet' ? WALLET : '00123456',
  tag: 'BOPIPHMM',
  mobile: '+639171234567',
})
const idsOf = (channels: readonly { readonly id: string }[]) => channels.map(({ id }) => id)

describe.each([true, false])('for a contract that is live: %s', (livemode) => {
  test.each(CURRENCIES)('the channels that pay out %s in its mode are offered, and no other', (currency) => {
    const taken = FACTS.filter((channel) => channel.terms.has(currency) && isForMode(channel, livemode))
    expect(idsOf(payingOut(CHANNELS, { currency, livemode }))).toEqual(idsOf(taken))
  })

  test('money in suspense may be of any currency: each channel is offered that pays out in its mode', () => {
    const taken = FACTS.filter((channel) => channel.terms.size > 0 && isForMode(channel, livemode))
    expect(idsOf(payingOut(CHANNELS, { currency: null, livemode }))).toEqual(idsOf(taken))
    const each = CURRENCIES.map((currency) => payingOut(CHANNELS, { currency, livemode }).length)
    expect(taken.length).toBeGreaterThan(Math.min(...each))
  })
})

describe.each(FACTS.filter(({ terms }) => terms.size > 0))('on $id', (channel) => {
  const [currency = 'PHP'] = channel.terms.keys()
  const place = placeOf({ channel: channel.id, recipient: typed(channel.id) }, CHANNELS)

  test('what is asked is enough for the gateway', () => {
    const recipient = recipientOf({
      channelId: channel.id,
      recipient: (place?.recipient ?? {}) as Record<string, string>,
    })
    const wordless = { issuedTo: null, description: null, deliverable: null, channelId: channel.id }
    const amountMinor = 1_000n * 10n ** BigInt(digitsOf(currency))
    const preview = previewOf({ ...wordless, amountMinor, currency, recipient }, channel)
    expect(preview.messages.filter(({ type }) => type === 'error')).toEqual([])
    expect(isValid(preview)).toBe(true)
  })

  test('nothing is sent while a field is empty, and nothing that the channel does not ask', () => {
    const asked = fieldsOf(CHANNELS.find(({ id }) => id === channel.id)).map(({ field }) => field)
    expect(asked.toSorted()).toEqual(channel.recipient.map(({ field }) => field as string).toSorted())
    expect(Object.keys(place?.recipient ?? {})).toEqual(asked)
    for (const field of asked)
      expect(placeOf({ channel: channel.id, recipient: { ...typed(channel.id), [field]: ' ' } }, CHANNELS)).toBeNull()
  })
})

test('with no channel it goes back to where it came from', () => {
  expect(placeOf(BACK, CHANNELS)).toEqual({})
  expect(placeOf({ ...BACK, recipient: typed('instapay') }, [])).toEqual({})
})
