// Payment links as an independent reader takes them, and what no link is made of.
// @ts-expect-error: the package has no types
import { parse } from 'eth-url-parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Eip681Order, eip681Uri } from '../../src/formats/eip681.ts'

const PAYEE = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const ORDER: Eip681Order = { chainId: 1, token: null, address: PAYEE, units: 1_000_000n }

describe('a link', () => {
  test('of the coin of a chain', () => {
    const uri = eip681Uri({ ...ORDER, units: 2_014_000_000_000_000_000n })
    expect(uri).toBe(`ethereum:${PAYEE}@1?value=2014000000000000000`)
    expect(parse(uri)).toEqual({
      scheme: 'ethereum',
      target_address: PAYEE,
      chain_id: '1',
      parameters: { value: '2014000000000000000' },
    })
  })

  test('of a token', () => {
    const uri = eip681Uri({ ...ORDER, chainId: 8453, token: TOKEN })
    expect(uri).toBe(`ethereum:${TOKEN}@8453/transfer?address=${PAYEE}&uint256=1000000`)
    expect(parse(uri)).toEqual({
      scheme: 'ethereum',
      target_address: TOKEN,
      chain_id: '8453',
      function_name: 'transfer',
      parameters: { address: PAYEE, uint256: '1000000' },
    })
  })

  test('carries any amount exactly, and addresses with their checksum', () => {
    // The reader writes amounts from 10^21 on as 1e+21; below, it says them whole.
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 21n - 1n), fc.integer({ min: 1, max: 2 ** 31 }), (units, chainId) => {
        const order = { chainId, units, address: PAYEE.toLowerCase() }
        expect(parse(eip681Uri({ ...order, token: null }))).toMatchObject({
          target_address: PAYEE,
          chain_id: `${chainId}`,
          parameters: { value: `${units}` },
        })
        expect(parse(eip681Uri({ ...order, token: TOKEN.toLowerCase() }))).toMatchObject({
          target_address: TOKEN,
          parameters: { address: PAYEE, uint256: `${units}` },
        })
      }),
    )
  })

  test('of the largest amount there is', () => {
    expect(eip681Uri({ ...ORDER, units: 2n ** 256n - 1n })).toMatch(
      /\?value=115792089237316195423570985008687907853269984665640564039457584007913129639935$/,
    )
  })
})

test.each<[Partial<Eip681Order>, string]>([
  [{ address: '' }, '40 hexadecimal digits'],
  [{ address: 'ana.eth' }, '40 hexadecimal digits'],
  [{ address: `${PAYEE}?value=1` }, '40 hexadecimal digits'],
  [{ address: PAYEE.replace('fB', 'Fb') }, 'checksum'],
  [{ address: `0x${'0'.repeat(40)}` }, 'zero address'],
  [{ token: TOKEN.slice(0, -1) }, '40 hexadecimal digits'],
  [{ token: '' }, '40 hexadecimal digits'],
  [{ token: TOKEN.toUpperCase().replace('0X', '0x') }, 'checksum'],
  [{ token: `0x${'0'.repeat(40)}` }, 'zero address'],
  [{ token: TOKEN, address: TOKEN.toLowerCase() }, "the token's own contract"],
  [{ units: 0n }, 'amount of units: 0'],
  [{ units: -1n }, 'amount of units: -1'],
  [{ units: 2n ** 256n }, 'amount of units'],
  [{ chainId: 0 }, 'chain id: 0'],
  [{ chainId: 1.5 }, 'chain id: 1.5'],
  [{ chainId: Number.NaN }, 'chain id: NaN'],
])('row %# throws', (change, fact) => {
  expect(() => eip681Uri({ ...ORDER, ...change })).toThrow(fact)
})
