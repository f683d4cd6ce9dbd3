// Lays the pages of the operations and events beside the chapters before VitePress looks for its sources: what has a file is found by
// the search, and pages of dynamic routes are not. They are made anew for each build and are in nobody's git.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { placesOf, readDocument } from './document.ts'
import { eventPage, eventsOf } from './events.ts'
import { operationPage, trialOf } from './page.ts'

const FOLDER = fileURLToPath(new URL('../../reference/', import.meta.url))
/** Written by hand. */
const KEPT = ['index.md']

export function layReference(): void {
  const document = readDocument()
  const operations = placesOf(document).map((place): [string, string] => [
    `${place.slug}.md`,
    `---\ntrial: ${JSON.stringify(JSON.stringify(trialOf(document, place)))}\n---\n\n${operationPage(document, place)}\n`,
  ])
  const events = eventsOf(document).map((place): [string, string] => [`${place.slug}.md`, `${eventPage(place)}\n`])
  const pages = new Map([...operations, ...events])
  mkdirSync(FOLDER, { recursive: true })
  for (const name of readdirSync(FOLDER)) if (!pages.has(name) && !KEPT.includes(name)) rmSync(`${FOLDER}${name}`)
  for (const [name, text] of pages) if (textAt(name) !== text) writeFileSync(`${FOLDER}${name}`, text)
}

function textAt(name: string): string | null {
  try {
    return readFileSync(`${FOLDER}${name}`, 'utf8')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw fault
  }
}
