// All wallets with what is in them, and the way to open one.
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Wallet } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Badge, Money } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty } from '../ui/feedback.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useFilter, usePage } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { TITLE } from './title.ts'
import { WALLETS } from './words.ts'

/** What a wallet is called: by its owner, or by its currency. */
export const nameOf = ({ label, currency }: Pick<Wallet, 'label' | 'currency'>): string => label ?? currency

export function Wallets() {
  const { title } = useWords(TITLE)
  const w = useWords(WALLETS)
  const can = useCan()
  const [isCreating, setCreating] = useState(false)
  const [currency, setCurrency] = useFilter('currency')
  const [status, setStatus] = useFilter('status')
  const all = useRead(['wallets', 'currencies'], (signal) => gateway.wallets.list({ limit: 100 }, { signal }).page())
  const currencies = [...new Set(all.data?.items.map((each) => each.currency))]
  const filter = { ...(currency && { currency }), ...(status && { status: status as Wallet['status'] }) }
  const page = usePage(['wallets', 'list', filter], (after, signal) =>
    gateway.wallets.list({ ...filter, limit: 25, ...(after && { after }) }, { signal }).page(),
  )
  const create = can('wallets:write') && <Button onClick={() => setCreating(true)}>{w.create}</Button>
  return (
    <Page title={title} actions={create || undefined}>
      <Section
        title={w.balances}
        isFlush
        actions={
          <Group gap="xs" pb="xs">
            <NativeSelect
              size="xs"
              aria-label={w.currency}
              data={[{ value: '', label: `${w.currency}: ${w.all}` }, ...currencies]}
              value={currency}
              onChange={(event) => setCurrency(event.currentTarget.value)}
            />
            <NativeSelect
              size="xs"
              aria-label={w.status}
              data={[
                { value: '', label: `${w.status}: ${w.all}` },
                { value: 'open', label: w.open },
                { value: 'closed', label: w.closed },
              ]}
              value={status}
              onChange={(event) => setStatus(event.currentTarget.value)}
            />
          </Group>
        }
      >
        <ListTable
          label={title}
          {...page}
          columns={useColumns()}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/wallets/${id}`}
          empty={
            <Empty icon="wallet" title={w.none} action={create || undefined}>
              {w.noneWhat}
            </Empty>
          }
        />
      </Section>
      {isCreating && <Create onClose={() => setCreating(false)} />}
    </Page>
  )
}

function useColumns(): Column<Wallet>[] {
  const w = useWords(WALLETS)
  const money = (key: 'available' | 'held' | 'in_transit' | 'pending', title: string): Column<Wallet> => ({
    key,
    title,
    align: 'right',
    render: (wallet) => <Money amount={wallet[key]} currency={wallet.currency} />,
  })
  return [
    {
      key: 'wallet',
      title: w.wallet,
      render: (wallet) => (
        <Group gap={6}>
          <strong>{nameOf(wallet)}</strong>
          {wallet.label !== null && <Badge>{wallet.currency}</Badge>}
          {wallet.default && <Badge tone="info">{w.isDefault}</Badge>}
          {wallet.is_low && <Badge tone="warn">{w.isLow}</Badge>}
          {wallet.status === 'closed' && <Badge>{w.closed}</Badge>}
        </Group>
      ),
    },
    money('available', w.available),
    money('held', w.held),
    money('in_transit', w.inTransit),
    money('pending', w.pending),
  ]
}

function Create({ onClose }: { readonly onClose: () => void }) {
  const w = useWords(WALLETS)
  const navigate = useNavigate()
  const [filled, setFilled] = useState({ currency: 'PHP', label: '', mark: '' })
  const currencies = useRead(['channels', 'currencies'], (signal) => gateway.channels.list({ signal }).all(200))
  const known = [
    ...new Set(currencies.data?.flatMap((channel) => channel.currencies.map((each) => each.currency)) ?? ['PHP']),
  ].sort()
  const create = useWrite(
    () =>
      gateway.wallets.create({
        currency: filled.currency,
        label: filled.label.trim() || null,
        low_balance: filled.mark.trim() || null,
      }),
    ['wallets', 'overview'],
  )
  const fill = (part: Partial<typeof filled>) => setFilled((before) => ({ ...before, ...part }))
  return (
    <Confirm
      title={w.create}
      action={w.create}
      onClose={onClose}
      onConfirm={() => create.mutateAsync(undefined).then(({ id }) => navigate(`/wallets/${id}`))}
    >
      <Stack gap="sm">
        <div>{w.createWhat}</div>
        <NativeSelect
          label={w.currency}
          data={known}
          value={filled.currency}
          onChange={(event) => fill({ currency: event.currentTarget.value })}
        />
        <WalletFields {...filled} fill={fill} />
      </Stack>
    </Confirm>
  )
}

type WalletFieldsProps = {
  readonly label: string
  readonly mark: string
  readonly fill: (part: { label?: string; mark?: string }) => void
}

/** What its owner says of a wallet. */
export function WalletFields({ label, mark, fill }: WalletFieldsProps) {
  const w = useWords(WALLETS)
  return (
    <>
      <TextInput
        label={w.label}
        value={label}
        maxLength={80}
        onChange={(event) => fill({ label: event.currentTarget.value })}
      />
      <TextInput
        label={w.mark}
        description={w.markHint}
        inputMode="decimal"
        value={mark}
        onChange={(event) => fill({ mark: event.currentTarget.value })}
      />
    </>
  )
}
