// What a draft on a channel must have, as JSON Schema (draft 2020-12), made from the rules that price and check the draft.
// A draft as it is kept (currency in capitals, mobile as +63…) fits it exactly where its preview has no error.
import { amountRange } from '../domain/money/amount-range.ts'
import type { ChannelFacts, RecipientRule } from '../domain/channel/channel.ts'
import { digitsOf } from '../domain/money/currencies.ts'
import { majorNumber } from '../domain/money/money.ts'
import { wholePattern } from '../domain/contract/preview.ts'
import { SOMETHING } from '../domain/text/texts.ts'

// A version of a channel never changes, so neither does its schema.
const made = new WeakMap<ChannelFacts, ReturnType<typeof schemaOf>>()

/** The schema of a draft on the channel. */
export function requiredSchema(channel: ChannelFacts) {
  const known = made.get(channel)
  if (known) return known
  const schema = schemaOf(channel)
  made.set(channel, schema)
  return schema
}

function schemaOf(channel: ChannelFacts) {
  const fields = channel.recipient.map(({ field }) => field)
  const currencies = [...channel.terms.keys()]
  const recipient = {
    type: 'object',
    required: fields,
    properties: Object.fromEntries(channel.recipient.map((rule) => [rule.field, fieldSchema(rule)])),
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['amount', 'currency', 'channel', ...(fields.length > 0 ? ['recipient'] : [])],
    properties: {
      channel: { const: channel.id },
      // A channel that only brings money in pays out in none, and nothing fits its alternatives.
      currency: { type: 'string', ...(currencies.length > 0 ? { enum: currencies } : {}) },
      amount: { type: 'number', exclusiveMinimum: 0, description: 'Major units; its bounds depend on the currency.' },
      ...(fields.length > 0 ? { recipient } : {}),
    },
    anyOf: pricedSchemas(channel),
  }
}

function fieldSchema({ pattern, format, mend }: RecipientRule) {
  return {
    type: 'string',
    description: mend,
    pattern: wholePattern(pattern ?? SOMETHING).source,
    // A pattern of the operator's may take dashes alone; a value must hold something all the same.
    ...(pattern === null ? {} : { allOf: [{ pattern: wholePattern(SOMETHING).source }] }),
    // For what no pattern can say, such as a checksum; a validator that does not know it takes more than the gateway does.
    ...(format === null ? {} : { format }),
  }
}

/** One alternative for each currency in which there is an amount that the channel moves. */
function pricedSchemas(channel: ChannelFacts) {
  const alternatives = [...channel.terms.keys()].flatMap((currency) => {
    const range = amountRange(channel, currency)
    if (!range) return []
    const maximum = range.mostMinor === null ? {} : { maximum: majorNumber(range.mostMinor, currency) }
    const amount = {
      minimum: majorNumber(range.leastMinor, currency),
      ...maximum,
      description: `At most ${digitsOf(currency)} decimals.`,
    }
    return [{ properties: { currency: { const: currency }, amount } }]
  })
  // Nothing fits an alternative that there is not.
  return alternatives.length > 0 ? alternatives : [false as const]
}
