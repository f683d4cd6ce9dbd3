// The words of a transfer's page, and of what can be done there.
import { bilingual } from '../words/bilingual.ts'

export const TRANSFER = bilingual(
  {
    edit: 'Edit draft',
    issue: 'Issue',
    pay: 'Pay',
    retry: 'Try again',
    cancel: 'Cancel transfer',
    issueHow: (pays: string, fee: string, gets: string) =>
      `The terms and the price are frozen: ${pays} will be taken (${fee} of it is the fee), and ${gets} arrives. No money moves yet.`,
    payHow: (pays: string, gets: string, who: string) =>
      `${pays} is taken out of the wallet and held at once. ${gets} leaves for ${who}.`,
    walletHas: (available: string) => `The wallet has ${available} available.`,
    walletLacks: (available: string) => `The wallet has only ${available} available: that is not enough.`,
    retryHow: (pays: string) =>
      `The channel refused it for good, and ${pays} is still held. A new attempt is made under a new reference, at the same price.`,
    retryOn: 'On the channel',
    sameChannel: 'The same channel',
    cancelHow: 'What this cancel does now:',
    willCancel: 'Cancel the transfer',
    lacking: 'This draft is not ready to be issued',
    noChannelYet: 'No channel is chosen yet. Edit the draft and choose how it is paid.',
    somebody: 'the recipient',
    mode: 'Transfer',
    by: (amount: string) => `Transfer of ${amount}`,
    refunded: 'Given back',
    cancellation: 'Cancellation',
    refundOf: 'Gives back',
    payment: 'payment',
  },
  {
    edit: 'Baguhin ang draft',
    issue: 'I-issue',
    pay: 'Bayaran',
    retry: 'Subukan muli',
    cancel: 'Kanselahin ang padala',
    issueHow: (pays: string, fee: string, gets: string) =>
      `Hindi na magbabago ang kasunduan at presyo: ${pays} ang kukunin (${fee} dito ang bayarin), at ${gets} ang darating. Wala pang gagalaw na pera.`,
    payHow: (pays: string, gets: string, who: string) =>
      `${pays} ang kukunin sa wallet at itataan agad. ${gets} ang aalis papunta kay ${who}.`,
    walletHas: (available: string) => `May ${available} na magagamit ang wallet.`,
    walletLacks: (available: string) => `${available} lang ang magagamit sa wallet: kulang ito.`,
    retryHow: (pays: string) =>
      `Tuluyang tinanggihan ito ng channel, at nakataan pa ang ${pays}. Gagawa ng bagong pagsubok na may bagong reference, sa parehong presyo.`,
    retryOn: 'Sa channel',
    sameChannel: 'Parehong channel',
    cancelHow: 'Ang mangyayari kapag kinansela ngayon:',
    willCancel: 'Kanselahin ang padala',
    lacking: 'Hindi pa puwedeng i-issue ang draft na ito',
    noChannelYet: 'Wala pang napiling channel. I-edit ang draft at piliin kung paano ito babayaran.',
    somebody: 'tatanggap',
    mode: 'Padala',
    by: (amount: string) => `Padalang ${amount}`,
    refunded: 'Naibalik',
    cancellation: 'Pagkansela',
    refundOf: 'Ibinabalik ang',
    payment: 'singil',
  },
)
