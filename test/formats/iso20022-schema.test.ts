// What the schemas refuse, so that the gateway never sends it.
import { expect, test } from 'vitest'
import { schemaFaults } from '../iso20022/schema-faults.ts'
import { MESSAGES } from './iso20022-samples.ts'

const PACS_008 = MESSAGES[0]!
const PACS_002 = MESSAGES[1]!
const PAIN_001 = MESSAGES[2]!
const PAIN_002 = MESSAGES[3]!
const CAMT_053 = MESSAGES[4]!

const amountOf = (text: string) => (amount: string) => text.replace('>100.00<', `>${amount}<`)

test.each([
  ['order', PACS_008, /<ChrgBr>SLEV<\/ChrgBr>(<Dbtr>.*<\/Dbtr>)/, '$1<ChrgBr>SLEV</ChrgBr>', 'not expected'],
  ['a missing EndToEndId', PACS_008, /<EndToEndId>.*?<\/EndToEndId>/, '', 'EndToEndId'],
  ['an EndToEndId too long', PACS_008, /(<EndToEndId>)[^<]*/, `$1${'x'.repeat(36)}`, 'maxLength'],
  ['an empty EndToEndId', PACS_008, /(<EndToEndId>)[^<]*/, '$1', 'minLength'],
  ['a MsgId too long', PACS_008, /(<MsgId>)[^<]*/, `$1${'x'.repeat(36)}`, 'maxLength'],
  ['a name too long', PACS_008, /(<Nm>)[^<]*/, `$1${'ñ'.repeat(141)}`, 'maxLength'],
  ['an account too long', PACS_008, '001234567890', '1'.repeat(35), 'maxLength'],
  ['words too long', PACS_008, /(<Ustrd>)[^<]*/, `$1${'x'.repeat(141)}`, 'maxLength'],
  [
    'eight lines of an address',
    PACS_008,
    /<AdrLine>Makati<\/AdrLine>/,
    '<AdrLine>x</AdrLine>'.repeat(7),
    'not expected',
  ],
  ['a negative amount', PACS_008, '>100.00<', '>-100.00<', 'minInclusive'],
  ['six decimals', PACS_008, '>100.00<', '>1.123456<', 'fractionDigits'],
  ['three decimals of pesos', PACS_008, '>100.00<', '>100.005<', 'no amount of PHP'],
  ['decimals of yen', PACS_008, 'Ccy="PHP">100.00', 'Ccy="JPY">100.50', 'no amount of JPY'],
  ['a currency that is none', PACS_008, 'Ccy="PHP"', 'Ccy="ZZZ"', 'no amount of ZZZ'],
  ['no currency', PACS_008, ' Ccy="PHP"', '', 'Ccy'],
  ['an exponent', PACS_008, '>100.00<', '>1e2<', 'not a valid value'],
  ['a UETR that is no version 4', PACS_008, '-48ba-', '-18ba-', 'pattern'],
  ['a BIC in small letters', PACS_008, 'BOPIPHMM', 'bopiphmm', 'pattern'],
  ['a mobile number without its dash', PACS_008, '+63-917', '+63917', 'pattern'],
  ['settlement by guess', PACS_008, 'CLRG', 'GUES', 'enumeration'],
  ['an element of nobody', PACS_008, '<ChrgBr>', '<Extra/><ChrgBr>', 'not expected'],
  ['an attribute of nobody', PACS_008, '<ChrgBr>', '<ChrgBr a="1">', 'not allowed'],
  ['words between elements', PACS_008, '<ChrgBr>', 'and<ChrgBr>', 'not allowed'],
  [
    'another type by instance',
    PACS_008,
    '<Dbtr>',
    '<Dbtr xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true">',
    'nil',
  ],
  ['a day that is none', PAIN_001, '<Dt>2026-07-01', '<Dt>2026-02-30', 'not a valid value'],
  ['a file without orders', PAIN_001, /<CdtTrfTxInf>.*<\/CdtTrfTxInf>/, '', 'CdtTrfTxInf'],
  ['a count in words', PAIN_001, '<NbOfTxs>2', '<NbOfTxs>two', 'pattern'],
  ['a status of five letters', PACS_002, '<TxSts>RJCT', '<TxSts>RJCTX', 'maxLength'],
  ['two reasons in one', PACS_002, '<Cd>AC01</Cd>', '<Cd>AC01</Cd><Cd>AC04</Cd>', 'not expected'],
  ['a report on nothing', PAIN_002, /<OrgnlGrpInfAndSts>.*<\/OrgnlGrpInfAndSts>/, '', 'not expected'],
  ['an entry without a status', CAMT_053, '<Sts><Cd>BOOK</Cd></Sts>', '', 'not expected'],
  ['an entry that goes nowhere', CAMT_053, '<CdtDbtInd>DBIT', '<CdtDbtInd>BOTH', 'enumeration'],
  ['a statement without a balance', CAMT_053, /<Bal>.*<\/Bal>/, '', 'Bal'],
] as const)('refused: %s', (_what, [kind, text], before, after, fault) => {
  const bent = text.replace(before, after)
  expect(bent).not.toBe(text)
  expect(schemaFaults(kind, Buffer.from(bent)).join('\n')).toContain(fault)
})

test.each(['0', '100', '100.0', '100.00000', '0.01', '999999999999.99', ' 5 '])(
  'an amount may be spelled "%s"',
  (amount) => {
    const [kind, text] = PACS_008
    expect(schemaFaults(kind, Buffer.from(amountOf(text)(amount)))).toEqual([])
  },
)

test('lengths are counted in characters, not in bytes or halves of pairs', () => {
  const [kind, text] = PACS_008
  expect(schemaFaults(kind, Buffer.from(text.replace(/(<Nm>)[^<]*/, `$1${'😀'.repeat(140)}`)))).toEqual([])
})
