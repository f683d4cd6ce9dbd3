// The words of transfers.
import { bilingual } from '../words/bilingual.ts'

export const TRANSFERS = bilingual(
  {
    create: 'New transfer',
    none: 'No transfers yet',
    noneHow:
      'A transfer sends money out of a wallet, through a channel, to somebody. It begins as a draft: nothing moves before it is paid.',
    recipient: 'Recipient',
    account: 'Account',
    arrives: 'Arrives',
  },
  {
    create: 'Bagong padala',
    none: 'Wala pang padala',
    noneHow:
      'Ang padala ay naglalabas ng pera mula sa wallet, sa isang channel, papunta sa tatanggap. Draft muna ito: walang gagalaw hangga’t hindi bayad.',
    recipient: 'Tatanggap',
    account: 'Account',
    arrives: 'Darating',
  },
)
