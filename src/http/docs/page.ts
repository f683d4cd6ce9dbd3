// GET /docs: the OpenAPI document and the error catalogue as one page that needs no script and no network.
import { curlOf } from './example.ts'
import { type Field, fieldsOf, parameterField } from './fields.ts'
import { catalogue, type Chapter, chaptersOf, sampleOf } from './guide.ts'
import { type Html, html, NOTHING, trusted } from './html.ts'
import { type ApiDocument, groupsOf, type Operation, type Schema } from './model.ts'
import { STYLE } from './style.ts'

/** The whole page. `openapi` is an OpenAPI 3.1 document as @fastify/swagger makes it; a part that is absent is left out. */
export function docsPage(openapi: unknown): string {
  // The document is our own; every member of its type may be absent.
  const document = openapi as ApiDocument
  const { title = 'API', version = '', description = '' } = document.info ?? {}
  const chapters = chaptersOf(document)
  const groups = groupsOf(document)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – API reference</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><a class="name" href="#top">${title}</a><input type="checkbox" id="menu"><label for="menu">Contents</label>
${navigation(chapters, groups)}</header>
<main id="main">
<div class="lead"><h1>${title}</h1><p>${description}</p>
<p class="facts">Version ${version} <a href="/openapi.json">OpenAPI document</a></p></div>
${chapters.map(chapterSection)}
${groups.map(({ tag, operations }) => html`<h2 id="${tagId(tag)}">${tag}</h2>${operations.map((each) => operationSection(document, each))}`)}
<h2 id="errors">Error catalogue</h2>
${catalogue()}
</main>
<a class="up" href="#top">Top</a>
</body>
</html>
`.markup
}

const tagId = (tag: string) => `tag-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`

function navigation(chapters: readonly Chapter[], groups: ReturnType<typeof groupsOf>): Html {
  const about = chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  const parts = groups.map(
    ({ tag, operations }) =>
      html`<li class="tag"><a href="#${tagId(tag)}">${tag}</a><ul>${operations.map(
        ({ id, method, summary }) => html`<li><a href="#${id}"><span>${summary}</span>${badge(method)}</a></li>`,
      )}</ul></li>`,
  )
  return html`<nav aria-label="Contents"><ul>
<li class="tag"><a href="#top">Start</a><ul>${about}</ul></li>
${parts}
<li class="tag"><a href="#errors">Error catalogue</a></li>
</ul></nav>`
}

const badge = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`

function chapterSection({ id, title, text, sample }: Chapter): Html {
  return html`<section id="${id}"><div class="text"><h2>${title}</h2>${text}</div><div class="aside">${sample}</div></section>`
}

function operationSection(document: ApiDocument, operation: Operation): Html {
  const { id, method, path, summary, description } = operation
  return html`
<section id="${id}" class="operation"><div class="text">
<h3><a href="#${id}">${summary}</a></h3>
<p class="path">${badge(method)} <code>${breakable(path)}</code></p>
${description === '' ? NOTHING : html`<p>${description}</p>`}
<p class="access">${accessWords(operation)}</p></div>
<div class="aside">${sampleOf('Example', curlOf(document, operation))}</div>
<div class="shapes">
${parameterTable(document, operation, 'path', 'Path parameters')}
${parameterTable(document, operation, 'query', 'Query parameters')}
${parameterTable(document, operation, 'header', 'Headers')}
${bodyTable(document, operation)}
${replyDetails(document, operation.reply)}
</div></section>`
}

function accessWords({ access }: Operation): Html {
  if (access.length === 0) return html`Open to all: no credentials.`
  const sets = access.map((credentials) => credentials.map(({ words }) => words).join(' and '))
  return html`Credentials: <strong>${sets.join(' or ')}</strong>`
}

function parameterTable(document: ApiDocument, { parameters }: Operation, place: string, title: string): Html {
  const rows = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required = false, description, schema = {} }) => {
      const field = parameterField(document, name, schema)
      return { ...field, isRequired: required, description: description ?? field.description }
    })
  return rows.length === 0 ? NOTHING : html`<h4>${title}</h4>${fieldTable(rows, sentMark)}`
}

function bodyTable(document: ApiDocument, { body, bodyTypes }: Operation): Html {
  if (!body) return NOTHING
  const words = body.description ?? ''
  return html`<h4>Body <small>${bodyTypes.join(' or ')}</small></h4>${words === '' ? NOTHING : html`<p>${words}</p>`}
${fieldTable(fieldsOf(document, body), sentMark)}`
}

function replyDetails(document: ApiDocument, reply: Schema | null): Html {
  if (!reply) return NOTHING
  const fields = fieldsOf(document, reply)
  const summary = html`<summary>Reply <small>HTTP 200, ${fields.length} fields</small></summary>`
  return html`<details>${summary}${fieldTable(fields, receivedMark)}</details>`
}

// Of what is sent, most may be left out; of what is received, nearly all is always there. The rarer case is marked.
const sentMark = ({ isRequired }: Field): Html => (isRequired ? html` <span class="required">required</span>` : NOTHING)
const receivedMark = ({ isRequired }: Field): Html => (isRequired ? NOTHING : html` <small>may be absent</small>`)

function fieldTable(fields: readonly Field[], markOf: (field: Field) => Html): Html {
  return html`
<div class="rows"><table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${fields.map((field) => fieldRow(field, markOf(field)))}</tbody></table></div>`
}

function fieldRow({ parents, name, depth, type, description, values, limits }: Field, mark: Html): Html {
  const among = values.length === 1 ? 'Always' : 'One of'
  const only = values.length === 0 ? NOTHING : html`<p class="limits">${among} ${codes(values)}</p>`
  const limited = limits.length === 0 ? NOTHING : html`<p class="limits">${limits.join('; ')}</p>`
  return html`
<tr class="d${Math.min(depth, 6)}"><td><code><span class="parents">${breakable(parents)}</span>${name}</code>${mark}</td>
<td class="type">${type}</td><td>${description === '' ? NOTHING : html`<p>${description}</p>`}${only}${limited}</td></tr>`
}

const codes = (values: readonly string[]): Html[] => values.map((value) => html`<code>${value}</code> `)

/** Lets a long path break after its separators on a narrow screen. */
const breakable = (path: string): Html[] => path.split(/(?<=[/.])/).map((part) => html`${part}<wbr>`)
