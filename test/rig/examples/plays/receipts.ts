// Receipts: a contract whose newest step is not sealed yet, and then one of it. All hashes and salts are of chance.
import type { Receipt } from '../../../../sdk/src/index.ts'
import { sealed } from '../../sealed.ts'
import { NOBODY, type Stage } from '../stage.ts'

const HASH = /\b[0-9a-f]{64}\b/g
const SHOWN_HASH = '9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a'
const SHOWN_SALT = 'Rk9ydHktdHdvIGJ5dGVzIG9mIGNoYW5jZSwgbm8gbW9yZQ'
const MOMENT = /\b1[789]\d{11}\b/g

export async function receiptOf({ played, world }: Stage, kind: 'transfers' | 'payments', params: { id: string }) {
  await played.ask(`${kind}.receipt`, { params: NOBODY })
  await played.ask(`${kind}.receipt`, { params })
  await sealed(world, world.caller)
  const path = `/contracts/${kind === 'transfers' ? 'transfer' : 'payment'}/${params.id}/receipt`
  const { data } = await world.caller.ask('GET', path)
  hide(played.hide, data['receipt'] as Receipt)
  await played.ask(`${kind}.receipt`, { params })
}

function hide(hidden: Stage['played']['hide'], receipt: Receipt): void {
  for (const hash of JSON.stringify(receipt).match(HASH) ?? []) hidden(hash, SHOWN_HASH)
  for (const { text } of receipt.members) {
    if (text === null) continue
    const [salt] = JSON.parse(text) as [string]
    hidden(salt, SHOWN_SALT)
    const still = text.replaceAll(MOMENT, '1793584800000')
    if (still !== text) hidden(text, still.replace(salt, SHOWN_SALT))
  }
  for (const { text, public_key: key } of receipt.seals) {
    hidden((JSON.parse(text) as { key: string }).key, '8a88e3dd7409f195')
    hidden(key, '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=')
  }
}
