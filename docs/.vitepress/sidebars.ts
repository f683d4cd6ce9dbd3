// What stands beside a page: the chapters by folder, the operations by what they are of, the decisions by number.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { placesOf, readDocument } from './reference/document.ts'
import { eventsOf } from './reference/events.ts'

const DOCS = new URL('..', import.meta.url).pathname

type Item = DefaultTheme.SidebarItem

/** The folders of chapters, in the order in which they are read. */
const FOLDERS: readonly (readonly [folder: string, title: string])[] = [
  ['concepts', 'Concepts'],
  ['guides', 'Guides'],
  ['runbooks', 'Runbooks'],
]

export function sidebars(): DefaultTheme.SidebarMulti {
  return { '/reference/': referenceItems(), ...decisionItems(), '/': chapterItems() }
}

function chapterItems(): Item[] {
  const chapters = chaptersIn('').filter(({ link }) => link !== '/')
  const starts = chapters.filter(({ link }) => link === '/quick-start')
  const folders = FOLDERS.filter(([folder]) => existsSync(join(DOCS, folder)))
  return [
    ...starts,
    ...folders.map(([folder, text]): Item => ({ text, items: chaptersIn(folder), collapsed: false })),
    { text: 'Chapters', items: chapters.filter((each) => !starts.includes(each)), collapsed: folders.length > 0 },
    { text: 'Design', items: chaptersIn('design'), collapsed: true },
  ]
}

function referenceItems(): Item[] {
  const document = readDocument()
  const places = placesOf(document)
  const tags = [...new Set(places.map(({ tag }) => tag))]
  const groups = tags.map((text): Item => {
    const own = places.filter(({ tag }) => tag === text)
    const items = own.map(({ slug, operation, path }) => ({
      text: operation.summary ?? path,
      link: `/reference/${slug}`,
    }))
    return { text, items, collapsed: true }
  })
  const types = eventsOf(document).map(({ type, slug }): Item => ({ text: type, link: `/reference/${slug}` }))
  const events: Item = { text: 'Events', items: [{ text: 'All types', link: '/events' }, ...types], collapsed: true }
  return [{ text: 'How the API works', link: '/reference/' }, ...groups, events, { text: 'Errors', link: '/errors' }]
}

/** Beside a decision stand its ten and the way to all of them: all beside each are half of what the site weighs. */
function decisionItems(): DefaultTheme.SidebarMulti {
  const decisions = chaptersIn('adr')
  const tens = [...new Set(decisions.map(({ link }) => /^\/adr\/\d{3}/.exec(link)?.[0] ?? ''))].filter(Boolean)
  const all: Item = { text: 'All decisions', link: '/adr/' }
  const beside = tens.map((ten): [string, Item[]] => [
    ten,
    [{ text: 'Decisions', items: [all, ...decisions.filter(({ link }) => link.startsWith(ten))] }],
  ])
  return { ...Object.fromEntries(beside), '/adr/': [{ text: 'Decisions', items: decisions }] }
}

type Chapter = { readonly text: string; readonly link: string }

/** The pages of a folder: by the `order` of their front matter where they have one, else by the file's name. */
function chaptersIn(folder: string): Chapter[] {
  const names = readdirSync(join(DOCS, folder)).filter((name) => name.endsWith('.md'))
  const pages = names.map((name) => {
    const text = readFileSync(join(DOCS, folder, name), 'utf8')
    const place = name.replace(/(index)?\.md$/, '')
    return {
      order: Number(/^---\n[\s\S]*?^order: (\d+)$/m.exec(text)?.[1] ?? 1000),
      text: titleOf(text) ?? name,
      link: `/${folder === '' ? '' : `${folder}/`}${place}`,
    }
  })
  return pages
    .toSorted((a, b) => a.order - b.order || a.link.localeCompare(b.link, 'en'))
    .map(({ text, link }) => ({ text, link }))
}

const titleOf = (text: string): string | undefined => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '')
