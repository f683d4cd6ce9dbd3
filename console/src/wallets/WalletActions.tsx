// What can be done with a wallet, by who may: top up, move money, name it, make it the default, close it and open it again.
import { Button, Menu, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TopUpRequest, Wallet, WalletPatch } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Icon } from '../ui/Icon.tsx'
import { changedOf, useEdits } from '../edits.ts'
import { useWords } from '../words/language.ts'
import { Move } from './Move.tsx'
import { WalletFields } from './Wallets.tsx'
import { ACTIONS, WALLETS } from './words.ts'

const GROUPS = ['wallets', 'overview']

type Opened = 'top up' | 'move' | 'edit' | 'default' | 'close' | 'reopen'

/** Whether the gateway would close it: it is empty, and not the default. */
const canClose = ({ default: isDefault, available, held, in_transit, pending, suspense }: Wallet): boolean =>
  !isDefault && [available, held, in_transit, pending, suspense].every((amount) => amount === 0)

export function WalletActions({ wallet }: { readonly wallet: Wallet }) {
  const w = useWords(ACTIONS)
  const can = useCan()
  const [opened, setOpened] = useState<Opened | null>(null)
  const isOpen = wallet.status === 'open'
  const mayMove = can('contracts:write') && can('transfers:issue') && can('transfers:pay')
  return (
    <>
      {can('wallets:write') && !wallet.livemode && isOpen && (
        <Button variant="default" onClick={() => setOpened('top up')}>
          {w.topUp}
        </Button>
      )}
      {mayMove && isOpen && wallet.available > 0 && <Button onClick={() => setOpened('move')}>{w.move}</Button>}
      {can('wallets:write') && <Changes wallet={wallet} onOpen={setOpened} />}
      {opened !== null && <Dialog wallet={wallet} opened={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function Changes({ wallet, onOpen }: { readonly wallet: Wallet; readonly onOpen: (opened: Opened) => void }) {
  const w = useWords(ACTIONS)
  const { actions } = useWords(WALLETS)
  const isOpen = wallet.status === 'open'
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="down" size={14} />}>
          {actions}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onOpen('edit')}>{w.edit}</Menu.Item>
        {isOpen && !wallet.default && <Menu.Item onClick={() => onOpen('default')}>{w.makeDefault}</Menu.Item>}
        {isOpen && canClose(wallet) && (
          <Menu.Item color="red" onClick={() => onOpen('close')}>
            {w.close}
          </Menu.Item>
        )}
        {isOpen && !canClose(wallet) && <Menu.Label>{w.why}</Menu.Label>}
        {!isOpen && <Menu.Item onClick={() => onOpen('reopen')}>{w.reopen}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}

type DialogProps = { readonly wallet: Wallet; readonly onClose: () => void }

function Dialog({ wallet, opened, onClose }: DialogProps & { readonly opened: Opened }) {
  const w = useWords(ACTIONS)
  const change = useWrite((patch: WalletPatch) => gateway.wallets.update(wallet.id, patch), GROUPS)
  switch (opened) {
    case 'top up':
      return <TopUp wallet={wallet} onClose={onClose} />
    case 'move':
      return <Move wallet={wallet} onClose={onClose} />
    case 'edit':
      return <Edit wallet={wallet} onClose={onClose} />
    case 'default':
      return (
        <Confirm
          title={w.makeDefaultTitle}
          action={w.makeDefault}
          onClose={onClose}
          onConfirm={() => change.mutateAsync({ default: true })}
        >
          {w.makeDefaultWhat(wallet.currency)}
        </Confirm>
      )
    case 'close':
      return (
        <Confirm
          title={w.closeTitle}
          action={w.close}
          isDangerous
          onClose={onClose}
          onConfirm={() => change.mutateAsync({ status: 'closed' })}
        >
          {w.closeWhat}
        </Confirm>
      )
    case 'reopen':
      return (
        <Confirm
          title={w.reopenTitle}
          action={w.reopen}
          onClose={onClose}
          onConfirm={() => change.mutateAsync({ status: 'open' })}
        >
          {w.reopenWhat}
        </Confirm>
      )
  }
}

function TopUp({ wallet, onClose }: DialogProps) {
  const w = useWords(ACTIONS)
  const [amount, setAmount] = useState('')
  const [reference, setReference] = useState('')
  const topUp = useWrite(
    (wanted: TopUpRequest, idempotencyKey) => gateway.wallets.topUp(wallet.id, wanted, { idempotencyKey }),
    GROUPS,
    `top up ${wallet.id}`,
  )
  return (
    <Confirm
      title={w.topUpTitle}
      action={w.topUp}
      isDisabled={amount.trim() === ''}
      onClose={onClose}
      onConfirm={() => topUp.mutateAsync({ amount: amount.trim(), reference: reference.trim() || null })}
    >
      <Stack gap="sm">
        <div>{w.topUpWhat}</div>
        <TextInput
          label={`${w.amount}, ${wallet.currency}`}
          inputMode="decimal"
          value={amount}
          data-autofocus
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
        <TextInput
          label={w.reference}
          description={w.referenceHint}
          maxLength={128}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      </Stack>
    </Confirm>
  )
}

const filledOf = ({ label, low_balance: mark }: Wallet) => ({
  label: label ?? '',
  mark: mark === null ? '' : String(mark),
})

const patchOf = ({ label, mark }: ReturnType<typeof filledOf>): WalletPatch => ({
  label: label.trim() || null,
  low_balance: mark.trim() || null,
})

function Edit({ wallet, onClose }: DialogProps) {
  const w = useWords(ACTIONS)
  const standing = filledOf(wallet)
  const { form, edit: fill } = useEdits(standing)
  const edit = useWrite(
    () => gateway.wallets.update(wallet.id, changedOf<WalletPatch>(patchOf(standing), patchOf(form))),
    GROUPS,
  )
  return (
    <Confirm title={w.editTitle} action={w.edit} onClose={onClose} onConfirm={() => edit.mutateAsync(undefined)}>
      <Stack gap="sm">
        <WalletFields {...form} fill={fill} />
      </Stack>
    </Confirm>
  )
}
