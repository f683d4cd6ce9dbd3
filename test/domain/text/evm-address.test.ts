// Addresses by EIP-55's own examples, and each way in which one may be wrong.
import { expect, test } from 'vitest'
import { payableAddress } from '../../../src/domain/text/evm-address.ts'

// The test vectors of EIP-55.
const CHECKSUMMED = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const TAKEN = [{ address: TOKEN, whose: "the token's own contract" }] as const

test.each(CHECKSUMMED)('%s is an address, as it is and in lower case', (address) => {
  expect(payableAddress(address, TAKEN)).toEqual({ address })
  expect(payableAddress(address.toLowerCase(), TAKEN)).toEqual({ address })
})

test.each(CHECKSUMMED.slice(4))('%s with one letter in the other case is refused, with the mend', (address) => {
  for (const { index } of address.slice(2).matchAll(/[a-fA-F]/g)) {
    const place = index + 2
    const letter = address.charAt(place)
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    const said = payableAddress(address.slice(0, place) + other + address.slice(place + 1), TAKEN)
    expect(said).toEqual({ fault: expect.stringMatching(/checksum.*Copy it anew/) as string })
  }
})

test.each([
  ['', '40 hexadecimal digits'],
  ['ana.eth', '40 hexadecimal digits'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', '40 hexadecimal digits'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd', '40 hexadecimal digits'],
  ['5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '40 hexadecimal digits'],
  ['0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '40 hexadecimal digits'],
  [' 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '40 hexadecimal digits'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n', '40 hexadecimal digits'],
  ['0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', 'checksum'],
  [`0x${'0'.repeat(40)}`, 'zero address'],
  [TOKEN, "the token's own contract"],
  [TOKEN.toLowerCase(), "the token's own contract"],
])('%j is refused: %s', (text, fault) => {
  expect(payableAddress(text, TAKEN)).toEqual({ fault: expect.stringContaining(fault) as string })
})
