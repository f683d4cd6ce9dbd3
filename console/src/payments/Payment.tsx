// A payment: what it is, where its money is and what it waits for, all that is recorded of it, and what can be done with it.
import { Anchor, Button, Group, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import { Attempts } from '../contracts/Attempts.tsx'
import { Cancellation } from '../contracts/Cancellation.tsx'
import { Deliveries } from '../contracts/Deliveries.tsx'
import { History } from '../contracts/History.tsx'
import { PAGE } from '../contracts/page-words.ts'
import { Receipt } from '../contracts/Receipt.tsx'
import { Standing, Way } from '../contracts/Standing.tsx'
import { gateway, useRead } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { moneyText } from '../ui/amounts.ts'
import { CopyButton, Facts, Id, Json, Money, Status, Time } from '../ui/atoms.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { actionsOn, type Payment as Contract, type PaymentAction } from './actions.ts'
import { Act } from './Act.tsx'
import { PAYMENT } from './page-words.ts'
import { TITLE } from './title.ts'

const ALL = 500

export function Payment() {
  const { id = '' } = useParams()
  const { title } = useWords(TITLE)
  const read = useRead(['payments', 'get', id], (signal) => gateway.payments.get(id, { signal }))
  if (read.data) return <OnePayment contract={read.data} />
  return (
    <Page title={title} parent={[title, '/payments']}>
      <Loaded of={read}>{() => null}</Loaded>
    </Page>
  )
}

function OnePayment({ contract }: { readonly contract: Contract }) {
  const { id, status, amount, currency } = contract
  const { title } = useWords(TITLE)
  const w = useWords(PAYMENT)
  const p = useWords(PAGE)
  const language = useLanguage()
  const can = useCan()
  const [action, setAction] = useState<PaymentAction | null>(null)
  const explained = useRead(['payments', 'explain', id], (signal) => gateway.payments.explain(id, { signal }))
  const entries = useRead(['payments', 'entries', id], (signal) =>
    gateway.payments.entries(id, {}, { signal }).all(ALL),
  )
  const attempts = useRead(['payments', 'attempts', id], (signal) =>
    gateway.payments.attempts(id, {}, { signal }).all(ALL),
  )
  const activities = useRead(['payments', 'activities', id], (signal) =>
    gateway.payments.activities(id, { limit: 100 }, { signal }).all(ALL),
  )
  return (
    <Page
      title={w.by(moneyText(amount, currency, language))}
      beside={<Status of={status} />}
      parent={[title, '/payments']}
      actions={actionsOn(contract, can).map((each) => (
        <Button key={each} variant="default" onClick={() => setAction(each)}>
          {w[each]}
        </Button>
      ))}
    >
      {status === 'issued' && contract.checkout_url !== null && <PaymentPage url={contract.checkout_url} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Overview contract={contract} />
        <Loaded of={explained}>{(explanation) => <Standing of={explanation} />}</Loaded>
      </SimpleGrid>
      <Loaded of={entries}>
        {(rows) => <Way kind="payments" entries={rows} places={explained.data?.places ?? []} />}
      </Loaded>
      {contract.refunds.length > 0 && <Refunds contract={contract} />}
      <Loaded of={attempts}>{(made) => <Attempts attempts={made} />}</Loaded>
      <Loaded of={activities}>{(lines) => <History activities={lines} />}</Loaded>
      {can('webhooks:manage') && <Deliveries kind="payments" id={id} />}
      <Receipt kind="payments" id={id} />
      <Section title={p.json}>
        <Json value={contract} label={p.json} />
      </Section>
      {action !== null && (
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

/** The payer's page: to be sent to who is to pay, and to nobody else. */
function PaymentPage({ url }: { readonly url: string }) {
  const w = useWords(PAYMENT)
  return (
    <Section title={w.page}>
      <Group gap="sm">
        <span className="id" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
          {url}
        </span>
        <CopyButton text={url} label={w.copyLink} />
        <Anchor href={url} target="_blank" rel="noreferrer" underline="always">
          {w.openPage}
        </Anchor>
      </Group>
      <p style={{ margin: '6px 0 0', color: 'var(--mantine-color-dimmed)', fontSize: 14 }}>{w.whoHasIt}</p>
    </Section>
  )
}

function Overview({ contract }: { readonly contract: Contract }) {
  const w = useWords(PAYMENT)
  const p = useWords(PAGE)
  const { preview, currency, channel, deliverable, cancellation, metadata } = contract
  const money = (key: string, amount: number | null | undefined) => (
    <Money key={key} amount={amount} currency={currency} />
  )
  return (
    <Section title={p.overview}>
      <Facts
        of={[
          ['ID', <Id key="id" id={contract.id} isWhole />],
          [w.payerPays, money('pays', preview.amount)],
          [p.fee, money('fee', preview.fees?.total)],
          [w.received, money('received', contract.amount_received)],
          contract.amount_in_suspense > 0 ? [w.suspense, money('suspense', contract.amount_in_suspense)] : null,
          contract.amount_refunded > 0 ? [w.refunded, money('refunded', contract.amount_refunded)] : null,
          [p.channel, channel?.name],
          [p.description, contract.description],
          [p.reference, deliverable?.reference_id],
          contract.settles_at ? [w.settles, <Time key="settles" at={contract.settles_at} />] : null,
          cancellation ? [w.cancellation, <Cancellation key="cancellation" of={cancellation} />] : null,
          [p.created, <Time key="created" at={contract.created_at} style="short" />],
          contract.status === 'issued' ? [p.expires, <Time key="expires" at={contract.expires_at} />] : null,
          ...Object.entries(metadata).map(([name, value]) => [name, value] as const),
        ]}
      />
    </Section>
  )
}

function Refunds({ contract: { refunds } }: { readonly contract: Contract }) {
  const w = useWords(PAYMENT)
  const p = useWords(PAGE)
  return (
    <Section title={w.refunds} isFlush>
      <ListTable
        label={w.refunds}
        rows={refunds}
        keyOf={({ transfer_id: transfer, created_at: at }) => transfer ?? at}
        columns={[
          {
            key: 'amount',
            title: w.amount,
            align: 'right',
            render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          { key: 'status', title: p.status, render: ({ status }) => <Status of={status} /> },
          { key: 'from', title: w.from, render: ({ from }) => (from === 'payment' ? w.payment : w.suspenseOf) },
          {
            key: 'transfer',
            title: w.transfer,
            render: ({ transfer_id: transfer }) =>
              transfer === null ? '—' : <Id id={transfer} to={`/transfers/${transfer}`} />,
          },
          { key: 'when', title: p.when, render: ({ created_at: at }) => <Time at={at} /> },
        ]}
      />
    </Section>
  )
}
