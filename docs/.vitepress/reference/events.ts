// The page of one type of event, as Markdown: when it happens, who is told, and what arrives.
import { exampleOf, type OpenApi, type Operation } from './document.ts'
import { block, code, escaped, fence, prose } from './markup.ts'

/** A type of event with what the document says of its webhook. */
export type EventPlace = {
  readonly type: string
  /** The last part of its page's address. */
  readonly slug: string
  readonly operation: Operation
}

/** Every type, in the order of the document. */
export function eventsOf({ webhooks = {} }: OpenApi): EventPlace[] {
  return Object.entries(webhooks).flatMap(([type, { post: operation }]) =>
    operation === undefined ? [] : [{ type, slug: `event-${type.replaceAll(/\W/g, '-')}`, operation }],
  )
}

export function eventPage({ type, operation }: EventPlace): string {
  const { summary = type, description = '', parameters = [], requestBody, 'x-scopes': scopes = [] } = operation
  const example = Object.values(requestBody?.content ?? {}).map(exampleOf)[0]
  const headers = parameters.flatMap((each) => ('$ref' in each ? [] : [each]))
  return [
    `# ${escaped(type)}`,
    block('p', '', prose(summary)),
    '## Who is told',
    `${scopes.map((each) => `\`${each}\``).join(' or ')} is the scope that a key needs, for the feed and the stream as for
webhooks: an endpoint is sent what the key that made it may read, where its \`events\` name the type or \`*\`.`,
    '## What arrives',
    prose(description),
    fence('json', JSON.stringify(example, null, 2)),
    '`data.object` is the whole of it as it was at that moment, in the shape that its own operation shows.',
    '### Headers',
    block(
      'ul',
      'class="fields"',
      headers
        .map(
          ({ name, description: words = '' }) =>
            `<li><div class="field">${code(name)}</div><p>${prose(words)}</p></li>`,
        )
        .join(''),
    ),
    'Verify the signature before you believe a word: [Guide: receive webhooks](/guides/receive-webhooks).',
    'All types: [Events](/events). Delivery, retries and replays: [Webhooks](/webhooks).',
  ].join('\n\n')
}
