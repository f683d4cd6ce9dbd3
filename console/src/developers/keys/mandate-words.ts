// The words of mandates.
import { bilingual } from '../../words/bilingual.ts'

export const MANDATE = bilingual(
  {
    title: 'Mandate',
    on: 'Bound what may leave by it in all',
    onHow:
      'For agents and for whoever acts for you: what has left is counted, and the key ends where the mandate does.',
    limits: 'How much may leave',
    limitsHow:
      'Fees included. Another currency does not leave at all. Above “alone up to” a member approves first; 0: always.',
    total: 'In all',
    perTransfer: 'At a time',
    approvalAbove: 'Alone up to',
    removeLimit: (currency: string) => `Remove the limit in ${currency}`,
    recipients: 'Accounts that may be paid',
    recipientsHow:
      'One a line; after a space its bank code; a mobile number begins with +. Empty, and no profile: anybody.',
    profiles: 'Profiles that may be paid',
    whom: 'To whom',
    anybody: 'anybody',
    channels: 'Through which channels',
    anyChannel: 'any',
    until: 'Until the end of',
    untilHow: 'Empty for as long as the key lives.',
    asLong: 'as long as the key lives',
    spent: (spent: string, total: string) => `${spent} of ${total} have left`,
    left: 'Left:',
    times: (count: number) => (count === 1 ? '1 transfer' : `${count} transfers`),
    atATime: (amount: string) => `at most ${amount} at a time`,
    asksAbove: (amount: string) => `a member approves above ${amount}`,
  },
  {
    title: 'Mandato',
    on: 'Lagyan ng hangganan ang kabuuang puwedeng lumabas',
    onHow:
      'Para sa mga agent at kumikilos para sa iyo: binibilang ang lumabas, at tapos ang key kung saan tapos ang mandato.',
    limits: 'Magkano ang puwedeng lumabas',
    limitsHow:
      'Kasama ang bayarin. Walang ibang currency na lalabas. Lampas sa “mag-isa hanggang”, miyembro muna ang mag-aapruba; 0: palagi.',
    total: 'Sa kabuuan',
    perTransfer: 'Sa isang beses',
    approvalAbove: 'Mag-isa hanggang',
    removeLimit: (currency: string) => `Alisin ang hangganan sa ${currency}`,
    recipients: 'Mga account na puwedeng bayaran',
    recipientsHow:
      'Isa sa bawat linya; pagkatapos ng puwang ang code ng bangko; nagsisimula sa + ang numero ng mobile. Walang laman at walang profile: kahit sino.',
    profiles: 'Mga profile na puwedeng bayaran',
    whom: 'Kanino',
    anybody: 'kahit sino',
    channels: 'Sa aling mga channel',
    anyChannel: 'kahit alin',
    until: 'Hanggang sa katapusan ng',
    untilHow: 'Walang laman kung habang buhay ang key.',
    asLong: 'habang buhay ang key',
    spent: (spent: string, total: string) => `${spent} sa ${total} ang lumabas na`,
    left: 'Natitira:',
    times: (count: number) => `${count} padala`,
    atATime: (amount: string) => `hanggang ${amount} sa isang beses`,
    asksAbove: (amount: string) => `miyembro ang mag-aapruba kapag lampas sa ${amount}`,
  },
)
