// The console's two languages. Each screen keeps its words beside itself, in both; the types see to it that neither lacks any.
import { useSyncExternalStore } from 'react'

export type Language = 'en' | 'fil'

type Words = Readonly<Record<string, string | ((...facts: never[]) => string)>>
/** The same names, and where a word takes facts, the same facts. */
type Same<W extends Words> = { readonly [Name in keyof W]: W[Name] extends string ? string : W[Name] }
export type Bilingual<W extends Words> = { readonly en: W; readonly fil: Same<W> }

export const bilingual = <W extends Words>(en: W, fil: Same<W>): Bilingual<W> => ({ en, fil })

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
