// The words of the audit list.
import { bilingual } from '../words/language.ts'

export const TITLE = bilingual({ title: 'Audit' }, { title: 'Audit' })

export const AUDIT = bilingual(
  {
    exportAll: 'Export all as CSV',
    exportFound: 'Export what fits as CSV',
    at: 'When',
    who: 'Who',
    what: 'What',
    on: 'On what',
    onlyThis: 'Only this',
    key: 'API key',
    member: 'Member',
    operator: 'Operator of the gateway',
    gateway: 'The gateway itself',
    members: 'Members',
    keys: 'API keys',
    anybody: 'Anybody',
    action: 'Action',
    anything: 'Anything',
    object: 'On what',
    objectHint: 'Its id',
    from: 'From',
    to: 'Until',
    clear: 'Clear',
    none: 'Nothing was done yet',
    noneMend:
      'What members, keys and operators change appears here. What is done to contracts stands in their own history.',
    noneFound: 'Nothing fits',
    noneFoundMend: 'Take another time, or clear a filter. What is done to contracts stands in their own history.',
  },
  {
    exportAll: 'I-export lahat bilang CSV',
    exportFound: 'I-export ang mga tugma bilang CSV',
    at: 'Kailan',
    who: 'Sino',
    what: 'Ano',
    on: 'Sa ano',
    onlyThis: 'Ito lang',
    key: 'API key',
    member: 'Kasapi',
    operator: 'Operator ng gateway',
    gateway: 'Ang gateway mismo',
    members: 'Mga kasapi',
    keys: 'Mga API key',
    anybody: 'Kahit sino',
    action: 'Ginawa',
    anything: 'Kahit ano',
    object: 'Sa ano',
    objectHint: 'Ang id nito',
    from: 'Mula',
    to: 'Hanggang',
    clear: 'Burahin',
    none: 'Wala pang ginawa',
    noneMend:
      'Lalabas dito ang binabago ng mga kasapi, key at operator. Ang ginagawa sa mga contract ay nasa sarili nilang kasaysayan.',
    noneFound: 'Walang tugma',
    noneFoundMend:
      'Pumili ng ibang panahon, o magbura ng filter. Ang ginagawa sa mga contract ay nasa sarili nilang kasaysayan.',
  },
)
