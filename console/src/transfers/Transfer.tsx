// A transfer: what it is, where its money is and what it waits for, all that is recorded of it, and what can be done with it.
import { Button, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { PricedBy as Priced } from '../../../sdk/src/index.ts'
import { ApprovalsOfTransfer } from '../approvals/OfTransfer.tsx'
import { Attempts } from '../contracts/Attempts.tsx'
import { Cancellation } from '../contracts/Cancellation.tsx'
import { Deliveries } from '../contracts/Deliveries.tsx'
import { History } from '../contracts/History.tsx'
import { PAGE } from '../contracts/page-words.ts'
import { Receipt } from '../contracts/Receipt.tsx'
import { Standing, Way } from '../contracts/Standing.tsx'
import { gateway, useRead } from '../gateway.ts'
import { FEES } from '../policies/form/fee-words.ts'
import { OnTransfer } from '../policies/trial/OnTransfer.tsx'
import { useCan } from '../session/session.ts'
import { moneyText } from '../ui/amounts.ts'
import { Facts, Id, Json, Money, Status, Time } from '../ui/atoms.tsx'
import { Loaded, Note } from '../ui/feedback.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { VerificationsOfTransfer } from '../verifications/OfTransfer.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { actionsOn, type Transfer as Contract, type TransferAction } from './actions.ts'
import { Act } from './Act.tsx'
import { TRANSFER } from './page-words.ts'
import { TITLE } from './title.ts'

const ALL = 500

export function Transfer() {
  const { id = '' } = useParams()
  const { title } = useWords(TITLE)
  const read = useRead(['transfers', 'get', id], (signal) => gateway.transfers.get(id, { signal }))
  if (read.data) return <OneTransfer contract={read.data} />
  return (
    <Page title={title} parent={[title, '/transfers']}>
      <Loaded of={read}>{() => null}</Loaded>
    </Page>
  )
}

function OneTransfer({ contract }: { readonly contract: Contract }) {
  const { id, status, amount, currency } = contract
  const { title } = useWords(TITLE)
  const w = useWords(TRANSFER)
  const p = useWords(PAGE)
  const language = useLanguage()
  const can = useCan()
  const [action, setAction] = useState<TransferAction | null>(null)
  const actions = actionsOn(contract, can)
  const explained = useRead(['transfers', 'explain', id], (signal) => gateway.transfers.explain(id, { signal }))
  const entries = useRead(['transfers', 'entries', id], (signal) =>
    gateway.transfers.entries(id, {}, { signal }).all(ALL),
  )
  const attempts = useRead(['transfers', 'attempts', id], (signal) =>
    gateway.transfers.attempts(id, {}, { signal }).all(ALL),
  )
  const activities = useRead(['transfers', 'activities', id], (signal) =>
    gateway.transfers.activities(id, { limit: 100 }, { signal }).all(ALL),
  )
  return (
    <Page
      title={w.by(moneyText(amount, currency, language))}
      beside={<Status of={status} />}
      parent={[title, '/transfers']}
      actions={actions.map((each) => <ActionButton key={each} action={each} id={id} onAct={setAction} />)}
    >
      {status === 'draft' && <Lacking contract={contract} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Overview contract={contract} />
        <Loaded of={explained}>{(explanation) => <Standing of={explanation} />}</Loaded>
      </SimpleGrid>
      <OnTransfer id={id} status={status} currency={currency} />
      {contract.approval && <ApprovalsOfTransfer id={id} />}
      {contract.verifications.length > 0 && <VerificationsOfTransfer of={contract} />}
      <Loaded of={entries}>
        {(rows) => <Way kind="transfers" entries={rows} places={explained.data?.places ?? []} />}
      </Loaded>
      <Loaded of={attempts}>{(made) => <Attempts attempts={made} />}</Loaded>
      <Loaded of={activities}>{(lines) => <History activities={lines} />}</Loaded>
      {can('webhooks:manage') && <Deliveries kind="transfers" id={id} />}
      <Receipt kind="transfers" id={id} />
      <Section title={p.json}>
        <Json value={contract} label={p.json} />
      </Section>
      {action !== null && action !== 'edit' && (
        <Act
          action={action}
          contract={contract}
          cancelNow={explained.data?.cancel_now ?? null}
          onClose={() => setAction(null)}
        />
      )}
    </Page>
  )
}

type ActionButtonProps = {
  readonly action: TransferAction
  readonly id: string
  readonly onAct: (action: TransferAction) => void
}

function ActionButton({ action, id, onAct }: ActionButtonProps) {
  const w = useWords(TRANSFER)
  if (action === 'edit')
    return (
      <Button component={Link} to={`/transfers/${id}/edit`} variant="default">
        {w.edit}
      </Button>
    )
  const isMain = action === 'issue' || action === 'pay' || action === 'retry'
  return (
    <Button variant={isMain ? 'filled' : 'default'} onClick={() => onAct(action)}>
      {w[action]}
    </Button>
  )
}

/** What a draft still lacks before it can be issued, with the mend. */
function Lacking({ contract: { preview } }: { readonly contract: Contract }) {
  const w = useWords(TRANSFER)
  if (preview.valid || preview.messages.length === 0) return null
  return (
    <Note tone="warn" title={w.lacking}>
      <ul style={{ margin: '6px 0 0', paddingLeft: 18 }}>
        {preview.messages.map(({ code, message }) => (
          // What it says of the API's doors is no word for who stands at a screen.
          <li key={message}>{code === 'missing_channel' ? w.noChannelYet : message}</li>
        ))}
      </ul>
    </Note>
  )
}

/** The version of the policy of fees that priced it, which binds. */
function PricedBy({ of: { policy, name, version, tier } }: { readonly of: Priced }) {
  const f = useWords(FEES)
  return (
    <span>
      <Link to={`/policies/${policy}`}>{name}</Link>, {f.versionTier(version, tier)}
    </span>
  )
}

function Overview({ contract }: { readonly contract: Contract }) {
  const w = useWords(TRANSFER)
  const p = useWords(PAGE)
  const f = useWords(FEES)
  const { preview, currency, recipient, channel, deliverable, refund, cancellation, metadata } = contract
  const account = [recipient?.wallet, recipient?.tag, recipient?.mobile, recipient?.email].filter(Boolean).join(' · ')
  return (
    <Section title={p.overview}>
      <Facts
        of={[
          ['ID', <Id key="id" id={contract.id} isWhole />],
          [p.debited, <Money key="debited" amount={preview.amount} currency={currency} />],
          [p.fee, <Money key="fee" amount={preview.fees?.total} currency={currency} />],
          preview.fees?.policy ? [f.pricedBy, <PricedBy key="priced" of={preview.fees.policy} />] : null,
          [p.arriving, <Money key="gets" amount={preview.receive_amount} currency={currency} />],
          [p.arrives, <Time key="arrives" at={preview.arrives_at} />],
          [p.channel, channel?.name],
          [
            p.recipient,
            recipient?.name || account ? (
              <Stack key="recipient" gap={0}>
                <span>{recipient?.name}</span>
                <span className="id" style={{ whiteSpace: 'normal' }}>
                  {account}
                </span>
              </Stack>
            ) : null,
          ],
          [p.description, contract.description],
          [p.reference, deliverable?.reference_id],
          contract.refund_of
            ? [w.refundOf, <Id key="of" id={contract.refund_of} to={`/payments/${contract.refund_of}`} />]
            : null,
          refund ? [w.refunded, <Money key="refund" amount={refund.amount} currency={currency} />] : null,
          cancellation ? [w.cancellation, <Cancellation key="cancellation" of={cancellation} />] : null,
          [p.created, <Time key="created" at={contract.created_at} style="short" />],
          ['draft', 'issued'].includes(contract.status)
            ? [p.expires, <Time key="expires" at={contract.expires_at} />]
            : null,
          ...Object.entries(metadata).map(([name, value]) => [name, value] as const),
        ]}
      />
    </Section>
  )
}
