// What our codes say, what the published ones say, and what is neither written nor read.
import fc from 'fast-check'
import { parse, withCrcTag } from 'promptparse'
import { describe, expect, test } from 'vitest'
import { shortReference } from '../../src/domain/contract/ids.ts'
import { type QrphOrder, qrphCode, readQrph } from '../../src/connectors/qrph/code.ts'
import { PERSON, PERSON_ANY_AMOUNT, SHOP } from './qrph-codes.ts'

const ORDER: QrphOrder = {
  acquirerBic: 'RCBCPHMMXXX',
  merchantId: '000600788000696',
  merchantName: 'Aling Nena Store',
  merchantCity: 'Makati',
  categoryCode: '5411',
  amountDecimal: '100.00',
  reference: shortReference('0190a1b2-c3d4-7e5f-8a6b-9c0d1e2f3a4b', 1),
}

describe('a code of ours', () => {
  test('is laid out as the published ones', () => {
    expect(qrphCode({ ...ORDER, reference: 'R1' })).toBe(
      sealed(
        '00020101021228560011ph.ppmi.p2m0111RCBCPHMMXXX03150006007880006960503000' +
          '5204541153036085406100.005802PH5916Aling Nena Store6006Makati' +
          '62220012ph.ppmi.qrph0502R188220012ph.ppmi.qrph0102R1',
      ),
    )
  })

  test('is read by an independent reader', () => {
    const theirs = parse(qrphCode(ORDER), true, true)
    expect(
      theirs
        ?.getTags()
        .map(({ id }) => id)
        .join(' '),
    ).toBe('00 01 28 52 53 54 58 59 60 62 88 63')
    expect(theirs?.getTagValue('28', '01')).toBe(ORDER.acquirerBic)
    expect(theirs?.getTagValue('28', '03')).toBe(ORDER.merchantId)
    expect(theirs?.getTagValue('54')).toBe('100.00')
    expect(theirs?.getTagValue('62', '05')).toBe(ORDER.reference)
    expect(ORDER.reference).toHaveLength(25)
  })

  test('says what was asked, whatever was asked', () => {
    fc.assert(
      fc.property(anyOrder(), (order) => {
        const kind = { kind: 'p2m', isDynamic: true } as const
        expect(readQrph(qrphCode(order))).toEqual({ ...order, ...kind })
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    ['Peña & Søn’s Café', "Pena & Son's Cafe"],
    ['  Señor\tPato\u00a0 №5 ', 'Senor Pato No5'],
    ['Ｓｔｏｒｅ ½ “Ægir”', 'Store 1/2 "AEgir"'],
    ['SM 한국 Mall 😀 2', 'SM Mall 2'],
    ['A very long name of a merchant', 'A very long name of a mer'],
    ['A name that ends in a no b', 'A name that ends in a no'],
    ['Straße Łódź Đà Nẵng', 'Strasse Lodz Da Nang'],
  ])('the name %j becomes %j', (merchantName, name) => {
    expect(readQrph(qrphCode({ ...ORDER, merchantName }))).toMatchObject({ merchantName: name })
  })

  test('a city is cut shorter, and a BIC of a head office is written in full', () => {
    const text = qrphCode({ ...ORDER, merchantCity: 'Parañaque City Metro Manila', acquirerBic: 'RCBCPHMM' })
    expect(readQrph(text)).toMatchObject({ merchantCity: 'Paranaque City', acquirerBic: 'RCBCPHMMXXX' })
  })

  test.each<[Partial<QrphOrder>, string]>([
    [{ acquirerBic: 'RCBC' }, 'the BIC of the QR Ph acquirer: RCBC'],
    [{ acquirerBic: 'RCBCXXMMXXX' }, 'the BIC'],
    [{ acquirerBic: 'rcbcphmmxxx' }, 'the BIC'],
    [{ merchantId: '' }, 'merchant id'],
    [{ merchantId: '12 34' }, 'merchant id'],
    [{ merchantId: 'ñ' }, 'merchant id'],
    [{ merchantId: '1'.repeat(26) }, 'merchant id'],
    [{ merchantName: ' ' }, 'merchant name'],
    [{ merchantName: '한국 - !' }, 'merchant name has Latin letters or digits: 한국 - !'],
    [{ merchantCity: '' }, 'merchant city'],
    [{ categoryCode: '541' }, 'merchant category code is four digits: 541'],
    [{ categoryCode: '54111' }, 'four digits'],
    [{ amountDecimal: '0.00' }, 'amount in a code is like 100.00: 0.00'],
    [{ amountDecimal: '-1.00' }, 'amount'],
    [{ amountDecimal: '100' }, 'amount'],
    [{ amountDecimal: '100.5' }, 'amount'],
    [{ amountDecimal: '100.005' }, 'amount'],
    [{ amountDecimal: '0100.00' }, 'amount'],
    [{ amountDecimal: '1e2' }, 'amount'],
    [{ amountDecimal: '1,000.00' }, 'amount'],
    [{ amountDecimal: '' }, 'amount'],
    [{ amountDecimal: '12345678901.00' }, 'amount'],
    [{ reference: '' }, 'reference'],
    [{ reference: '***' }, 'reference'],
    [{ reference: 'a b' }, 'reference'],
    [{ reference: 'a'.repeat(26) }, 'reference'],
  ])('%j throws', (change, fact) => {
    expect(() => qrphCode({ ...ORDER, ...change })).toThrow(fact)
  })
})

describe('the published codes', () => {
  test.each([
    [
      SHOP,
      {
        kind: 'p2m',
        isDynamic: true,
        acquirerBic: 'RCBCPHMMXXX',
        merchantId: '000600788000696',
        merchantName: 'LANDMARK Makati DS',
        merchantCity: 'Makati',
        categoryCode: '5311',
        amountDecimal: '1458.31',
        reference: '0000438638',
      },
    ],
    [
      PERSON,
      {
        kind: 'p2p',
        isDynamic: true,
        acquirerBic: 'PAEYPHM2XXX',
        merchantId: '985889386153',
        merchantName: 'ENG-19818-ged',
        merchantCity: 'Manila',
        categoryCode: '6016',
        amountDecimal: '123.45',
        reference: 'test12',
      },
    ],
    [
      PERSON_ANY_AMOUNT,
      {
        kind: 'p2p',
        isDynamic: false,
        acquirerBic: 'SRCPPHM2XXX',
        merchantId: '09266144042',
        merchantName: 'Miaaa',
        merchantCity: 'Laguna',
        categoryCode: '6016',
        amountDecimal: null,
        reference: '10232023',
      },
    ],
  ])('%s', (text, code) => {
    expect(readQrph(text)).toEqual(code)
  })
})

describe('a code of others', () => {
  const body = SHOP.slice(0, -8)

  test.each([
    ['', null],
    ['540270', '70.00'],
    ['540370.', '70.00'],
    ['540470.5', '70.50'],
    ['54060070.5', '70.50'],
    ['54131234567890.12', '1234567890.12'],
  ])('the amount %j is %s', (object, amountDecimal) => {
    expect(readQrph(sealed(body.replace('54071458.31', object)))).toMatchObject({ amountDecimal })
  })

  test('has no reference where the payer gives one, or where none is said', () => {
    const asked = sealed(body.replace('6261', '6254').replace('05100000438638', '0503***'))
    const none = sealed(body.replace('6261', '6247').replace('05100000438638', ''))
    for (const text of [asked, none]) expect(readQrph(text)).toMatchObject({ kind: 'p2m', reference: null })
  })

  test.each([
    ['not_qrph', '', body.replace('ph.ppmi.p2m', 'ph.other.me')],
    ['not_qrph', '', body.replace('28560011ph', '29560011ph')],
    ['missing', '28-03', body.replace('03150006007880', '04150006007880')],
    ['missing', '27-04', PERSON.slice(0, -8).replace('0412985889386153', '0612985889386153')],
    ['bad_value', '01', body.replace('010212', '010213')],
    ['bad_value', '28-01', body.replace('RCBCPHMMXXX', 'RCBC0000XXX')],
    ['bad_value', '52', body.replace('52045311', '5203531')],
    ['bad_value', '53', body.replace('5303608', '5303764')],
    ['bad_value', '54', body.replace('1458.31', '0000.00')],
    ['bad_value', '54', body.replace('1458.31', '458.310')],
    ['bad_value', '54', body.replace('1458.31', '-458.31')],
    ['bad_value', '54', body.replace('1458.31', '1,458.3')],
    ['bad_value', '54', body.replace('071458.31', '1412345678901.23')],
    ['bad_value', '58', body.replace('5802PH', '5802TH')],
    ['bad_value', '59', body.replace('5918LANDMARK Makati DS', `5926${'L'.repeat(26)}`)],
    ['bad_value', '60', body.replace('6006Makati', `6016${'M'.repeat(16)}`)],
    ['bad_value', '62-05', body.replace('6261', '6277').replace('05100000438638', `0526${'1'.repeat(26)}`)],
  ])('%s at "%s"', (fault, at, faulty) => {
    expect(readQrph(sealed(faulty))).toEqual({ fault, at })
  })

  test('that is no code at all says why', () => {
    expect(readQrph(SHOP.replace(/9616$/, '9617'))).toEqual({ fault: 'bad_crc', at: '63' })
    expect(readQrph('https://example.com')).toEqual({ fault: 'bad_id', at: '' })
  })
})

/** A code by another program's checksum. */
function sealed(body: string): string {
  return withCrcTag(body, '63')
}

function anyOrder(): fc.Arbitrary<QrphOrder> {
  const token = fc.stringMatching(/^[0-9A-Za-z#~_.-]{1,25}$/)
  const words = (max: number) => fc.stringMatching(new RegExp(`^[0-9A-Za-z]([!-~]| [!-~]){0,${(max - 1) >> 1}}$`))
  return fc.record({
    acquirerBic: fc.constantFrom('RCBCPHMMXXX', 'GXCHPHM2XXX', 'PAEYPHM2XXX'),
    merchantId: token,
    merchantName: words(25),
    merchantCity: words(15),
    categoryCode: fc.stringMatching(/^\d{4}$/),
    amountDecimal: fc.bigInt(1n, 999_999_999_999n).map((c) => `${c / 100n}.${`${c % 100n}`.padStart(2, '0')}`),
    reference: token,
  })
}
