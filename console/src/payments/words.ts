// The words of payments.
import { bilingual } from '../words/bilingual.ts'

export const PAYMENTS = bilingual(
  {
    create: 'New payment',
    none: 'No payments yet',
    noneHow: 'A payment brings money in: you open it, its payer chooses how to pay on a page of this gateway.',
    received: 'Received',
    refunded: 'Refunded',
    expires: 'Expires',
    payer: 'From',
  },
  {
    create: 'Bagong singil',
    none: 'Wala pang singil',
    noneHow:
      'Ang singil ay nagpapasok ng pera: bubuksan mo ito, at pipili ang magbabayad kung paano siya magbabayad sa pahina ng gateway.',
    received: 'Natanggap',
    refunded: 'Naibalik',
    expires: 'Lilipas',
    payer: 'Mula kay',
  },
)
