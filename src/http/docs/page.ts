// GET /docs: what holds for every operation, the operations by name, and the error catalogue. It needs no script; the
// operations in full are on the page of the reference, which is drawn by Scalar from /openapi.json.
import { catalogue, type Chapter, chapters } from './guide.ts'
import { type Html, html, trusted } from './html.ts'
import { STYLE } from './style.ts'

const METHODS = ['post', 'get', 'patch', 'put', 'delete'] as const

type Path = Partial<Record<(typeof METHODS)[number], { readonly summary?: string }>>

/** The members of an OpenAPI document that the page shows. */
export type Described = {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly paths?: Readonly<Record<string, Path | undefined>>
}

export function docsPage({ info, paths = {} }: Described): string {
  const { title, version, description = '' } = info
  const parts = chapters()
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – API guide</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
<div class="lead"><h1>${title}</h1><p>${description}</p>
<p>Version ${version}. <a href="docs/reference">Reference</a> of every operation, drawn by a script. The same for programs:
<a href="openapi.json">OpenAPI document</a>.</p></div>
<nav aria-label="Contents"><ul>
${parts.map(({ id, title: words }) => html`<li><a href="#${id}">${words}</a></li>`)}
<li><a href="#operations">Operations</a></li>
<li><a href="#errors">Error catalogue</a></li>
</ul></nav>
${parts.map(chapterSection)}
<h2 id="operations">Operations</h2>
${operationTable(paths)}
<h2 id="errors">Error catalogue</h2>
${catalogue()}
</main>
</body>
</html>
`.markup
}

function chapterSection({ id, title, text, sample }: Chapter): Html {
  return html`<section id="${id}"><div class="text"><h2>${title}</h2>${text}</div><div>${sample}</div></section>`
}

function operationTable(paths: NonNullable<Described['paths']>): Html {
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item?.[method]
      const name = `${method.toUpperCase()} ${path}`
      return operation ? [html`<tr><td><code>${name}</code></td><td>${operation.summary ?? ''}</td></tr>`] : []
    }),
  )
  return html`<div class="rows"><table><thead><tr><th scope="col">Operation</th><th scope="col">What it does</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}
