// Blank is missing: a name, an account or a place of white space, or of nothing that is seen, is none, and a sign is no name.
import { afterAll, describe, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())

const BLANKS = ['', ' ', '\t\n', '\u00a0', '\u200b', '\u2060\ufeff', '\u3000', '\u3164', '\u2800', '\u115f\u200d']
const errorsOf = (draft: { readonly preview: { readonly messages: readonly { code: string; type: string }[] } }) =>
  draft.preview.messages.filter(({ type }) => type === 'error').map(({ code }) => code)

describe.each(BLANKS.map((blank) => [JSON.stringify(blank), blank] as const))('%s', (_words, blank) => {
  test('as name and account is missing, and issues nothing', async () => {
    const draft = await caller.draft({ recipient: { name: blank, wallet: blank } })
    expect(errorsOf(draft)).toEqual(['missing_recipient_name', 'missing_recipient_wallet'])
    expect(draft.recipient).toMatchObject({ name: null, wallet: null })
    const { status, error } = await caller.ask('PUT', `/contracts/transfer/${draft.id}/issue`)
    expect([status, error.code, error.param]).toEqual([409, 'requirements_not_met', 'recipient.name'])
  })

  test('in a patch takes the name away', async () => {
    const draft = await caller.draft({ recipient: { name: 'Ana', wallet: '1' } })
    expect(errorsOf(await caller.update(draft.id, { recipient: { name: blank } }))).toEqual(['missing_recipient_name'])
  })

  test('as mobile, tag, bank or country is missing too', async () => {
    const bank = await caller.draft({ channel: 'instapay', recipient: { name: 'Ana', wallet: '12345', tag: blank } })
    expect(errorsOf(bank)).toEqual(['missing_recipient_tag'])
    const mobile = await caller.draft({ channel: 'gcash', recipient: { name: 'Ana', mobile: blank, country: blank } })
    expect(errorsOf(mobile)).toEqual(['missing_recipient_mobile'])
  })
})

test('what is seen is kept without what is not', async () => {
  const draft = await caller.draft({
    issued_to: ' Ana\u200b',
    deliverable: { reference_id: '\u00a0A-1 ' },
    recipient: { name: '\u200b Ana  Reyes\u00a0', wallet: '\t0001\n', address: ' 1 Mabini St ' },
  })
  expect(draft).toMatchObject({
    issued_to: 'Ana',
    deliverable: { reference_id: 'A-1' },
    recipient: { name: 'Ana  Reyes', wallet: '0001', address: '1 Mabini St' },
  })
})

test.each(['—', '...', '😀', '?!', '-'])('%s is nobody’s name', async (name) => {
  const draft = await caller.draft({ recipient: { name, wallet: name } })
  expect(errorsOf(draft)).toEqual(['invalid_recipient_name', 'invalid_recipient_wallet'])
})

test.each(['李小龙', 'Đặng', 'ณเดชน์', 'محمد', '4', 'X Æ A-12'])('%s is a name', async (name) => {
  expect(errorsOf(await caller.draft({ recipient: { name, wallet: '1' } }))).toEqual([])
})

test('an account of dashes alone is none, although the pattern of the rail takes dashes', async () => {
  const draft = await caller.draft({
    channel: 'instapay',
    recipient: { name: 'Ana', wallet: '-----', tag: 'BOPIPHMM' },
  })
  expect(errorsOf(draft)).toEqual(['invalid_recipient_wallet'])
})

test('the id of a wallet is understood in capitals', async () => {
  const [wallet] = world.other.account.wallets
  const draft = await caller.draft({ channel: 'wallet', recipient: { wallet: ` ${wallet?.id.toUpperCase()}` } })
  expect(draft.recipient).toMatchObject({ wallet: wallet?.id })
})
