// What is asked before something is done with a transfer: what happens, to which money.
import { Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { payingOut } from '../payments/elsewhere.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { moneyText } from '../ui/amounts.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import type { Transfer, TransferAction } from './actions.ts'
import { TRANSFER } from './page-words.ts'

const GROUPS = ['transfers', 'wallets']

type Props = {
  readonly contract: Transfer
  readonly onClose: () => void
}

export function Act({
  action,
  cancelNow,
  ...props
}: Props & { readonly action: Exclude<TransferAction, 'edit'>; readonly cancelNow: string | null }) {
  switch (action) {
    case 'issue':
      return <Issue {...props} />
    case 'pay':
      return <Pay {...props} />
    case 'retry':
      return <Retry {...props} />
    case 'cancel':
      return <Cancel {...props} cancelNow={cancelNow} />
  }
}

/** The amounts of a contract as texts. */
function useAmounts({ preview, currency }: Transfer) {
  const language = useLanguage()
  const text = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? '—' : moneyText(amount, currency, language)
  return { text, pays: text(preview.amount), fee: text(preview.fees?.total), gets: text(preview.receive_amount) }
}

function Issue({ contract, onClose }: Props) {
  const w = useWords(TRANSFER)
  const { pays, fee, gets } = useAmounts(contract)
  const issue = useWrite(() => gateway.transfers.issue({ id: contract.id }), GROUPS)
  return (
    <Confirm title={w.issue} action={w.issue} onConfirm={() => issue.mutateAsync(undefined)} onClose={onClose}>
      <Text>{w.issueHow(pays, fee, gets)}</Text>
    </Confirm>
  )
}

function Pay({ contract, onClose }: Props) {
  const w = useWords(TRANSFER)
  const can = useCan()
  const { pays, gets, text } = useAmounts(contract)
  const { currency, preview, recipient } = contract
  const wallets = useRead(['wallets', 'list', currency], (signal) => gateway.wallets.list({}, { signal }).all(), {
    enabled: can('wallets:read'),
  })
  const wallet = wallets.data?.find((each) => each.currency === currency && each.default)
  const lacks = wallet !== undefined && wallet.available < preview.amount
  const pay = useWrite(() => gateway.transfers.pay({ id: contract.id }), GROUPS)
  return (
    <Confirm
      title={w.pay}
      action={`${w.pay} ${pays}`}
      isDisabled={lacks}
      onConfirm={() => pay.mutateAsync(undefined)}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text>{w.payHow(pays, gets, recipient?.name ?? w.somebody)}</Text>
        {wallet && (
          <Text c={lacks ? 'red' : 'dimmed'} size="sm">
            {lacks ? w.walletLacks(text(wallet.available)) : w.walletHas(text(wallet.available))}
          </Text>
        )}
      </Stack>
    </Confirm>
  )
}

function Retry({ contract, onClose }: Props) {
  const w = useWords(TRANSFER)
  const { pays } = useAmounts(contract)
  const [channel, setChannel] = useState<string | null>(null)
  const channels = useRead(['channels'], (signal) => gateway.channels.list({ signal }).all(), { staleTime: 60_000 })
  const retry = useWrite(() => gateway.transfers.retry({ id: contract.id }, channel ? { channel } : {}), GROUPS)
  const others = payingOut(channels.data ?? [], contract)
  return (
    <Confirm title={w.retry} action={w.retry} onConfirm={() => retry.mutateAsync(undefined)} onClose={onClose}>
      <Stack gap="sm">
        <Text>{w.retryHow(pays)}</Text>
        <Select
          label={w.retryOn}
          placeholder={w.sameChannel}
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          value={channel}
          onChange={setChannel}
          clearable
          clearButtonProps={{ 'aria-label': w.sameChannel }}
        />
      </Stack>
    </Confirm>
  )
}

const REASON_MAX = 1000

function Cancel({ contract, cancelNow, onClose }: Props & { readonly cancelNow: string | null }) {
  const w = useWords(TRANSFER)
  const cancel = useWrite(
    (reason: string) => gateway.transfers.cancel({ id: contract.id }, reason === '' ? {} : { reason }),
    GROUPS,
  )
  return (
    <Confirm
      title={w.cancel}
      action={w.willCancel}
      isDangerous
      reason={{ isRequired: false, max: REASON_MAX }}
      onConfirm={(reason) => cancel.mutateAsync(reason)}
      onClose={onClose}
    >
      {cancelNow !== null && (
        <Text>
          {w.cancelHow} {cancelNow}.
        </Text>
      )}
    </Confirm>
  )
}
