// All that is known of one request: ids, codes and times. Bodies are never kept, so there is none to show.
import { Stack } from '@mantine/core'
import type { ApiRequest } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { Badge, Facts, Id, Json, Time } from '../../ui/atoms.tsx'
import { Empty, Loaded, Note } from '../../ui/feedback.tsx'
import { Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { screenOfObject } from '../event-types.ts'
import { Mend, useMend } from './Errors.tsx'
import { toneOf } from './tone.ts'
import { REQUESTS } from './words.ts'

export function Inspector({ id, known }: { readonly id: string | null; readonly known: ApiRequest | null }) {
  const w = useWords(REQUESTS)
  const read = useRead(
    ['log', 'requests', 'one', id],
    async (signal) => (await gateway.requests.list({ id: id ?? '', limit: 1 }, { signal }).page()).items[0] ?? null,
    { enabled: id !== null && known === null },
  )
  return (
    <Section title={w.inspector}>
      {id === null ? (
        <Empty icon="code">{w.choose}</Empty>
      ) : known !== null ? (
        <Shown of={known} />
      ) : (
        <Loaded of={read}>{(data) => (data ? <Shown of={data} /> : <Note tone="info" title={w.none} />)}</Loaded>
      )}
    </Section>
  )
}

/** Which of the two kinds a contract is of, by the operation that was asked. */
const kindOf = ({ operation }: ApiRequest) => (operation.startsWith('payments.') ? 'payment' : 'transfer')

function Shown({ of }: { readonly of: ApiRequest }) {
  const w = useWords(REQUESTS)
  const mend = useMend(of.code)
  const { id, at, operation, method, route, status, code, duration_ms: ms, contract, key, member, command, trace } = of
  return (
    <Stack>
      <Facts
        of={[
          [w.status, <Badge key="status" tone={toneOf(status)}>{`${status}${code === null ? '' : ` ${code}`}`}</Badge>],
          [
            w.operation,
            <span key="operation" className="id">
              {operation}
            </span>,
          ],
          [w.route, <span key="route" className="id" style={{ whiteSpace: 'normal' }}>{`${method} ${route}`}</span>],
          ['Request-Id', <Id key="id" id={id} isWhole />],
          contract === null
            ? null
            : [w.contract, <Id key="contract" id={contract} to={screenOfObject(kindOf(of), contract) ?? undefined} />],
          member !== null
            ? [w.member, <Id key="member" id={member} to="/members" />]
            : key === null
              ? null
              : [w.key, <Id key="key" id={key} to={`/developers/keys/${key}`} />],
          [w.when, <Time key="at" at={at} style="short" />],
          [w.took, w.ms(ms)],
          of.replayed ? [w.replayed, w.yes] : null,
          command === null ? null : [w.command, `${command.verb}, ${w.batchSize(command.batch_size)}`],
          command === null ? null : [w.queued, w.ms(command.queued_ms)],
          command === null ? null : [w.batch, w.ms(command.batch_ms)],
          trace === null ? null : [w.trace, <Id key="trace" id={trace} />],
        ]}
      />
      {code !== null && (
        <Note tone={toneOf(status)}>
          <Mend code={code} words={mend} />
        </Note>
      )}
      <Json value={of} label="JSON" />
    </Stack>
  )
}
