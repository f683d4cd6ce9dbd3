// Links of a chapter that lead out of the site: to files of the repository, which a gateway does not serve. They become the
// name of the file. What leads to a page stays, and VitePress refuses it where the page is not there.
import type { MarkdownRenderer } from 'vitepress'

const isPage = (href: string) => /^(https?:|mailto:|#|\/)/.test(href) || /\.(md|svg|png)(#|$)/.test(href)
const leavesDocs = (href: string, path: string) => {
  const depth = path.split('/').length - 1
  return (/^(\.\.\/)+/.exec(href)?.[0].length ?? 0) / 3 > depth
}

/** Tables scroll where they are wide, and by keyboard, too. */
export function linksInside(markdown: MarkdownRenderer): void {
  markdown.renderer.rules['table_open'] = () => '<table tabindex="0">'
  markdown.core.ruler.push('links-inside', ({ tokens, env }) => {
    const path = String((env as { relativePath?: string }).relativePath ?? '')
    for (const inline of tokens) {
      let isOut = false
      for (const token of inline.children ?? []) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href') ?? ''
          isOut = !isPage(href) || leavesDocs(href, path)
        }
        if (!isOut || !token.type.startsWith('link_')) continue
        token.tag = 'span'
        token.attrs = token.type === 'link_open' ? [['title', 'In the repository']] : null
      }
    }
  })
}
