// The words of the members.
import { bilingual } from '../words/bilingual.ts'

export const ROLE_WORDS = bilingual(
  {
    owner: 'Owner',
    admin: 'Administrator',
    operator: 'Operator',
    approver: 'Approver',
    developer: 'Developer',
    viewer: 'Viewer',
  },
  {
    owner: 'May-ari',
    admin: 'Administrator',
    operator: 'Operator',
    approver: 'Tagapayag',
    developer: 'Developer',
    viewer: 'Tagatingin',
  },
)

/** As docs/members.md has it. */
export const ROLE_MAY = bilingual(
  {
    owner: 'Everything, and makes, changes and removes owners.',
    admin: 'Everything, but for owners.',
    operator:
      'Moves money: writes contracts, issues, pays, cancels and refunds, one by one, in bulk and by schedule. Writes profiles.',
    approver:
      'Decides what waits: approves transfers, so that they can be paid, or rejects them, and passes or fails verifications. Looks at all that a viewer does, and at the audit list. Makes no contract.',
    developer:
      'Writes contracts, one by one and in bulk, makes keys and webhook endpoints. Moves no money. Sees the audit list.',
    viewer:
      'Looks at contracts, wallets, profiles, policies, verifiers, bulk payouts, events and the account. Changes nothing.',
  },
  {
    owner: 'Lahat, at siya ang gumagawa, nagbabago at nag-aalis ng mga may-ari.',
    admin: 'Lahat, maliban sa mga may-ari.',
    operator:
      'Gumagalaw ng pera: gumagawa ng contract, nagbibigay, nagbabayad, nagkakansela at nagre-refund, isa-isa, maramihan at ayon sa iskedyul. Nagsusulat ng profile.',
    approver:
      'Nagpapasya sa naghihintay: nag-aapruba ng padala para mabayaran ito, o tinatanggihan ito, at ipinapasa o ibinabagsak ang beripikasyon. Nakikita ang lahat ng nakikita ng tagatingin, pati ang audit list. Hindi gumagawa ng contract.',
    developer:
      'Gumagawa ng contract, isa-isa at maramihan, at ng key at webhook endpoint. Hindi gumagalaw ng pera. Nakikita ang audit list.',
    viewer:
      'Tumitingin sa contract, wallet, profile, policy, verifier, maramihang padala, event at account. Walang binabago.',
  },
)

export const MEMBERS = bilingual(
  {
    invite: 'Invite somebody',
    makeLink: 'Make the link',
    email: 'E-mail address',
    name: 'Name',
    nameHint: 'What others see; they can say it themselves when they join',
    who: 'Who',
    you: 'you',
    role: 'Role',
    status: 'Status',
    factors: 'Second factors',
    authenticator: 'Authenticator',
    passkeys: (count: number) => (count === 1 ? '1 passkey' : `${count} passkeys`),
    codes: (count: number) => (count === 1 ? '1 recovery code' : `${count} recovery codes`),
    since: 'Since',
    showRemoved: 'Show those who were removed, too',
    manage: 'Manage',
    changeRole: 'Change role',
    reset: 'Reset sign-in',
    remove: 'Remove',
    withdraw: 'Withdraw invitation',
    exactly: (role: string) => `What ${role} may do, exactly`,
    scopesWhat: 'The scopes that the gateway asks of each request.',
    roleOf: (who: string) => `Role of ${who}`,
    roleWhat: 'Their sessions end: they sign in again with the new role.',
    resetTitle: (who: string) => `Reset the sign-in of ${who}?`,
    resetWhat:
      'Password, authenticator, passkeys and sessions end at once, and a new link is made. Do it for somebody who lost them. Whoever has the link becomes them; the audit list says who made it.',
    removeTitle: (who: string) => `Remove ${who}?`,
    removeWhat:
      'Their sessions end at once, and they cannot sign in. What they did stays in the history. Keys that they made stay, too.',
    withdrawTitle: (who: string) => `Withdraw the invitation of ${who}?`,
    withdrawWhat: 'The link is good no more.',
    linkFor: (who: string) => `Invitation of ${who}`,
    link: 'Link',
    linkWhat: 'Nothing is mailed: pass the link on yourself. It brings in one person, and ends',
    linkUntil: 'link ends',
    passedOn: 'I have passed it on',
  },
  {
    invite: 'Mag-imbita',
    makeLink: 'Gawin ang link',
    email: 'E-mail address',
    name: 'Pangalan',
    nameHint: 'Ang nakikita ng iba; masasabi rin nila ito pagsali nila',
    who: 'Sino',
    you: 'ikaw',
    role: 'Tungkulin',
    status: 'Status',
    factors: 'Ikalawang patunay',
    authenticator: 'Authenticator',
    passkeys: (count: number) => `${count} passkey`,
    codes: (count: number) => `${count} recovery code`,
    since: 'Mula',
    showRemoved: 'Ipakita rin ang mga inalis',
    manage: 'Pamahalaan',
    changeRole: 'Palitan ang tungkulin',
    reset: 'I-reset ang pag-sign in',
    remove: 'Alisin',
    withdraw: 'Bawiin ang imbitasyon',
    exactly: (role: string) => `Ang eksaktong magagawa ng ${role}`,
    scopesWhat: 'Ang mga scope na hinihingi ng gateway sa bawat request.',
    roleOf: (who: string) => `Tungkulin ni ${who}`,
    roleWhat: 'Matatapos ang kanilang mga session: magsa-sign in sila muli sa bagong tungkulin.',
    resetTitle: (who: string) => `I-reset ang pag-sign in ni ${who}?`,
    resetWhat:
      'Agad na matatapos ang password, authenticator, passkey at mga session, at gagawa ng bagong link. Para ito sa nawalan ng mga iyon. Kung sino ang may link ay magiging siya; nasa audit list kung sino ang gumawa.',
    removeTitle: (who: string) => `Alisin si ${who}?`,
    removeWhat:
      'Agad na matatapos ang kanilang mga session, at hindi na sila makakapag-sign in. Mananatili sa kasaysayan ang ginawa nila. Mananatili rin ang mga key na ginawa nila.',
    withdrawTitle: (who: string) => `Bawiin ang imbitasyon ni ${who}?`,
    withdrawWhat: 'Hindi na magagamit ang link.',
    linkFor: (who: string) => `Imbitasyon ni ${who}`,
    link: 'Link',
    linkWhat:
      'Walang ipinapadalang e-mail: ikaw ang magbigay ng link. Isang tao lang ang makakapasok dito, at matatapos',
    linkUntil: 'matatapos ang link',
    passedOn: 'Naibigay ko na',
  },
)
