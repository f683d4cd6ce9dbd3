// What the audit list says, in words for people: actions, what they are about, and the members that changed.
import type { Language } from '../words/language.ts'
import { ACTION_WORDS, MEMBER_WORDS, OBJECT_WORDS } from './entry-words.ts'

type Words = Readonly<Record<string, string>>

/** Those that there are; an older or a newer gateway may have others, which are shown as the API has them. */
export const ACTIONS: readonly string[] = Object.keys(ACTION_WORDS.en)

const spaced = (name: string) => name.replaceAll('_', ' ')

export const actionText = (action: string, language: Language): string =>
  (ACTION_WORDS[language] as Words)[action] ?? spaced(action.replace('.', ': '))

export const objectText = (type: string, language: Language): string =>
  (OBJECT_WORDS[language] as Words)[type] ?? spaced(type)

/** Each part of the path by itself: recipient.wallet is “Recipient · Account”. */
export const memberText = (path: string, language: Language): string =>
  path
    .split('.')
    .map((part) => (MEMBER_WORDS[language] as Words)[part] ?? spaced(part))
    .join(' · ')
