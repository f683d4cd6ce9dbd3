// Makes docs/errors.md from the catalogue of refusals and their HTTP statuses, and docs/events.md from the types of events: when
// each happens, and which scope lets a key be told of it.
import { ALL_EVENT_TYPES, type AnyEventType, scopesToRead } from '../src/domain/account/events.ts'
import { REFUSALS } from '../src/domain/contract/refusals.ts'
import { statusOf } from '../src/http/errors.ts'
import { EVENT_WORDS } from '../src/http/openapi/event-words.ts'
import { settleGenerated } from './generated.ts'

const rows = Object.entries(REFUSALS)
  .map(([code, { type, when }]) => ({ code, type, when, status: statusOf(code) }))
  .sort((a, b) => a.status - b.status || a.code.localeCompare(b.code))
  .map(({ code, type, when, status }) => `| <a id="${code}"></a>\`${code}\` | ${status} | \`${type}\` | ${when} |`)

const eventRow = (type: AnyEventType) => {
  const page = `/reference/event-${type.replaceAll(/\W/g, '-')}`
  const scopes = scopesToRead(type).map((scope) => `\`${scope}\``)
  return `| [\`${type}\`](${page}) | ${EVENT_WORDS[type]} | ${scopes.join(' or ')} |`
}

settleGenerated([
  {
    path: 'docs/errors.md',
    text: `# Errors

Made from \`src/domain/contract/refusals.ts\` and \`src/http/errors.ts\` by \`npm run generate\`.

\`\`\`json
{"error": {"type": "invalid_request_error", "message": "currency is missing. It is required.", "code": "missing_currency",
           "param": "currency", "request_id": "req_…", "doc_url": "/docs/errors#missing_param", "errors": []}}
\`\`\`

\`param\` names the offending parameter (\`recipient.mobile\`, a header, or null). Where there is more than one problem,
\`errors\` lists them all and the first is on top. Nothing of a refused request takes effect.

| code | status | type | when |
|---|---|---|---|
| <a id="missing_param"></a>\`missing_<param>\` | 400 | \`invalid_request_error\` | A required parameter is missing; dots become underscores: \`missing_recipient_mobile\`. |
| <a id="invalid_param"></a>\`invalid_<param>\` | 400 | \`invalid_request_error\` | A parameter has a value that cannot be taken. |
${rows.join('\n')}
`,
  },
  {
    path: 'docs/events.md',
    text: `# Events

Made from \`src/domain/account/events.ts\` and \`src/http/openapi/event-words.ts\` by \`npm run generate\`.

Whatever happens to a contract, a wallet, a profile, a key, a member or the account is an event. It is the same in a webhook
([Webhooks](webhooks.md)), in the feed (\`GET /events\`) and in the stream (\`GET /events/stream\`). The page of a type shows an
event as it arrived.

| type | when | told to keys with |
|---|---|---|
${ALL_EVENT_TYPES.map(eventRow).join('\n')}
`,
  },
])
