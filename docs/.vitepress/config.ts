// The docs site: VitePress over docs/**/*.md, and one page for each operation and each type of event of the OpenAPI document. Nothing of it comes
// from another host. scripts/site.ts builds it.
import { defineConfig } from 'vitepress'
import { linksInside } from './links.ts'
import { layReference } from './reference/lay.ts'
import { sidebars } from './sidebars.ts'

layReference()

export default defineConfig({
  title: 'Gateway',
  description: 'A self-hostable gateway for money contracts.',
  lang: 'en',
  base: '/docs/',
  cleanUrls: true,
  // The list of all pages is a file of its own, so that a page's HTML stays small and holds no script that changes.
  metaChunk: true,
  // A page would fetch every page that its sidebar names.
  router: { prefetchLinks: false },
  // Patches to try the drills with, and not pages.
  srcExclude: ['drills/**'],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => linksInside(markdown),
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/', activeMatch: '^/(?!reference|adr)' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/(reference)' },
      { text: 'Decisions', link: '/adr/', activeMatch: '^/adr' },
    ],
    sidebar: sidebars(),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
  },
})
