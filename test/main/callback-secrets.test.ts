// The secrets of providers' callbacks, as an operator gives them: split at the first "=", never shown, and for channels only.
import { expect, test } from 'vitest'
import { readConfig } from '../../src/main/config/config.ts'

const A = 'whsec_c2VjcmV0IG9mIHRoZSBwcm92aWRlcg=='
const B = 'a plain one would have spaces'.replaceAll(' ', '-')
const read = (text: string) => [...readConfig({ GATEWAY_CALLBACK_SECRETS: text }).callbackSecrets]

test.each<[string, [string, string[]][]]>([
  ['', []],
  [`sandbox=${A}`, [['sandbox', [A]]]],
  [
    ` sandbox=${A} , wallet=${B},`,
    [
      ['sandbox', [A]],
      ['wallet', [B]],
    ],
  ],
  [`sandbox=${A},sandbox=${B}`, [['sandbox', [A, B]]]],
])('%s', (text, secrets) => {
  expect(read(text)).toEqual(secrets)
})

test.each([
  ['sandbox', 'entry 1 must be a channel'],
  ['sandbox=', 'entry 1 must be a channel'],
  [`=${A}`, 'entry 1 must be a channel'],
  [`sandbox=${A},wallet=tooshort`, 'entry 2 must be a channel'],
  [`sandbox=${A} ${A}`, 'entry 1 must be a channel'],
  [`nowhere=${A}`, 'names a channel that there is not: nowhere'],
])('%s is refused, and no secret is told', (text, fault) => {
  expect(() => read(text)).toThrow(fault)
  for (const secret of [A, 'tooshort']) expect(() => read(text)).not.toThrow(secret)
})
