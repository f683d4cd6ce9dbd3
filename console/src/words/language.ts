// Which of its two languages the console speaks, as the browser keeps it.
import { useSyncExternalStore } from 'react'
import type { Bilingual, Same, Words } from './bilingual.ts'

export type Language = 'en' | 'fil'

const KEPT_AS = 'console-language'
const watchers = new Set<() => void>()

function kept(): Language {
  try {
    const text = localStorage.getItem(KEPT_AS)
    if (text === 'en' || text === 'fil') return text
  } catch {
    // A browser that keeps nothing speaks as it says it does.
  }
  return navigator.languages.some((each) => /^(fil|tl)\b/i.test(each)) ? 'fil' : 'en'
}

let current: Language = kept()
document.documentElement.lang = current

const language = (): Language => current

export function setLanguage(wanted: Language): void {
  current = wanted
  document.documentElement.lang = wanted
  try {
    localStorage.setItem(KEPT_AS, wanted)
  } catch {
    // Until the page is closed, then.
  }
  for (const watcher of watchers) watcher()
}

export function useLanguage(): Language {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }, language)
}

/** The words of a screen in the language of the moment. */
export function useWords<W extends Words>(words: Bilingual<W>): Same<W> {
  return words[useLanguage()] as Same<W>
}

/** As Intl knows it. */
export const localeOf = (each: Language): string => (each === 'fil' ? 'fil-PH' : 'en-PH')
