// Words that the code gave up for those of the field ("Retired words" in docs/glossary.md): none of them comes back, neither
// in a name nor in a comment. An English word is meant in all its forms, a name in its own spelling.
import { existsSync, readFileSync } from 'node:fs'
import type { Check } from './source.ts'

const GLOSSARY = 'docs/glossary.md'

/** Refused where the glossary is not there to be read. */
const WITHOUT_GLOSSARY = ['tend', 'errand', 'parked']

/** Retired words that the code still has; one that is gone from it leaves this list, and is refused from then on. */
const STILL_THERE = new Set(['stranger', 'feeds'])

/** The first column of the table below the heading. */
export function retiredIn(glossary: string): string[] {
  const [, section = ''] = /^## Retired words\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(glossary) ?? []
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, word]) => word as string)
}

const retired = existsSync(GLOSSARY) ? retiredIn(readFileSync(GLOSSARY, 'utf8')) : WITHOUT_GLOSSARY

const FORMS = retired
  .filter((word) => !STILL_THERE.has(word))
  .map((word) => (/^[a-z]+$/.test(word) ? new RegExp(`\\b${word}(s|ed|ing)?\\b`, 'i') : new RegExp(`\\b${word}\\b`)))

export const retiredWords: Check = (files) =>
  files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, place) =>
      FORMS.flatMap((form) => {
        const found = form.exec(line)
        return found ? [`${path}:${place + 1}: says "${found[0]}", which ${GLOSSARY} retires`] : []
      }),
    ),
  )
