// Words that the code gave up for those of the field ("Retired words" in docs/glossary.md): none of them comes back, neither
// in a name nor in a comment. An English word is meant in all its forms, a name in its own spelling.
import { readFileSync } from 'node:fs'
import type { Check } from './source.ts'

const GLOSSARY = 'docs/glossary.md'

/** The first column of the table below the heading. */
export function retiredIn(glossary: string): string[] {
  const [, section = ''] = /^## Retired words\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(glossary) ?? []
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, word]) => word as string)
}

const FORMS = retiredIn(readFileSync(GLOSSARY, 'utf8')).map((word) =>
  /^[a-z]+$/.test(word) ? new RegExp(`\\b${word}(s|ed|ing)?\\b`, 'i') : new RegExp(`\\b${word}\\b`),
)

export const retiredWords: Check = (files) =>
  files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, place) =>
      FORMS.flatMap((form) => {
        const found = form.exec(line)
        return found ? [`${path}:${place + 1}: says "${found[0]}", which ${GLOSSARY} retires`] : []
      }),
    ),
  )
