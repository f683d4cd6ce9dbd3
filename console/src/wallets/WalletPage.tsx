// One wallet: what is in it, now or at a moment, what can be done with it, and what moved it.
import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Wallet } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { Badge, Id, Money, Time } from '../ui/atoms.tsx'
import { ErrorNote, Loaded } from '../ui/feedback.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useFilter } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { Entries } from './Entries.tsx'
import { WalletActions } from './WalletActions.tsx'
import { nameOf } from './Wallets.tsx'
import { TITLE } from './title.ts'
import { WALLETS } from './words.ts'
import './wallets.css'

export function WalletPage() {
  const { id = '' } = useParams()
  const { title } = useWords(TITLE)
  const w = useWords(WALLETS)
  const read = useRead(['wallets', 'get', id], (signal) => gateway.wallets.get(id, {}, { signal }))
  const wallet = read.data?.wallet
  return (
    <Page
      title={wallet ? nameOf(wallet) : w.wallet}
      parent={[title, '/wallets']}
      beside={wallet && <Marks of={wallet} />}
      actions={wallet && <WalletActions wallet={wallet} />}
    >
      <Loaded of={read} rows={6}>
        {(data) => (
          <>
            <Balances wallet={data.wallet} />
            <Entries wallet={data.wallet} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Marks({ of }: { readonly of: Wallet }) {
  const w = useWords(WALLETS)
  return (
    <Group gap={6}>
      {of.label !== null && <Badge>{of.currency}</Badge>}
      {of.default && <Badge tone="info">{w.isDefault}</Badge>}
      {of.is_low && <Badge tone="warn">{w.isLow}</Badge>}
      {of.status === 'closed' && <Badge>{w.closed}</Badge>}
      <Id id={of.id} />
    </Group>
  )
}

function Balances({ wallet }: { readonly wallet: Wallet }) {
  const w = useWords(WALLETS)
  const [at, setAt] = useFilter('at')
  const [typed, setTyped] = useState(at)
  const then = useRead(
    ['wallets', 'at', wallet.id, at],
    (signal) => gateway.wallets.get(wallet.id, { at: new Date(at).toISOString() }, { signal }),
    { enabled: at !== '', staleTime: Infinity },
  )
  const shown = at === '' ? wallet : then.data?.wallet
  return (
    <Section
      title={w.balances}
      actions={
        <form
          onSubmit={(event) => {
            event.preventDefault()
            setAt(typed)
          }}
        >
          <Group gap="xs">
            <TextInput
              size="xs"
              type="datetime-local"
              aria-label={w.atMoment}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button size="xs" variant="default" type="submit" disabled={typed === ''}>
              {w.atMoment}
            </Button>
            {at !== '' && (
              <Button
                size="xs"
                variant="subtle"
                onClick={() => {
                  setTyped('')
                  setAt('')
                }}
              >
                {w.atNow}
              </Button>
            )}
            <Button size="xs" variant="default" component={Link} to={`/wallets/${wallet.id}/statement`}>
              {w.statement}
            </Button>
          </Group>
        </form>
      }
    >
      {at !== '' && then.error ? <ErrorNote error={then.error} /> : null}
      {at !== '' && then.data?.at && (
        <p className="as-of">
          {w.wasAt} <Time at={then.data.at} style="short" />
        </p>
      )}
      {shown && <Amounts of={shown} />}
    </Section>
  )
}

function Amounts({ of }: { readonly of: Wallet }) {
  const w = useWords(WALLETS)
  const amounts = [
    [w.available, of.available, of.low_balance === null ? '' : w.lowMark] as const,
    [w.held, of.held, w.heldHint] as const,
    [w.inTransit, of.in_transit, w.inTransitHint] as const,
    [w.pending, of.pending, w.pendingHint] as const,
    [w.suspense, of.suspense, w.suspenseHint] as const,
  ]
  return (
    <dl className="amounts">
      {amounts.map(([name, amount, hint], place) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Money amount={amount} currency={of.currency} />
            <small>
              {hint}
              {place === 0 && of.low_balance !== null && (
                <>
                  {' '}
                  <Money amount={of.low_balance} currency={of.currency} />
                </>
              )}
            </small>
          </dd>
        </div>
      ))}
    </dl>
  )
}
