// What is asked before something is done with a payment: what happens, to which money.
import { Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { moneyText } from '../ui/amounts.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import type { Payment, PaymentAction } from './actions.ts'
import { PAYMENT } from './page-words.ts'

const GROUPS = ['payments', 'transfers', 'wallets']
const REASON_MAX = 1000

type Props = { readonly contract: Payment; readonly onClose: () => void }

export function Act({
  action,
  cancelNow,
  ...props
}: Props & { readonly action: PaymentAction; readonly cancelNow: string | null }) {
  switch (action) {
    case 'refund':
      return <Refund {...props} />
    case 'return':
      return <Return {...props} />
    case 'cancel':
      return <Cancel {...props} cancelNow={cancelNow} />
  }
}

function Refund({ contract, onClose }: Props) {
  const w = useWords(PAYMENT)
  const language = useLanguage()
  const { id, currency, preview, amount_refunded: refunded } = contract
  const [amount, setAmount] = useState('')
  const refund = useWrite(
    (reason: string) =>
      gateway.payments.refund({ id }, { ...(amount.trim() && { amount: amount.trim() }), ...(reason && { reason }) }),
    GROUPS,
  )
  const text = (each: number) => moneyText(each, currency, language)
  return (
    <Confirm
      title={w.refund}
      action={w.willRefund}
      isDangerous
      reason={{ isRequired: false, max: REASON_MAX }}
      onConfirm={(reason) => refund.mutateAsync(reason)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text>{w.refundHow(text(preview.amount), text(refunded))}</Text>
        <TextInput
          label={`${w.amount} (${currency})`}
          description={w.amountHow}
          inputMode="decimal"
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          data-autofocus
        />
      </Stack>
    </Confirm>
  )
}

function Return({ contract, onClose }: Props) {
  const w = useWords(PAYMENT)
  const language = useLanguage()
  const { id, currency, amount_in_suspense: suspended } = contract
  const [channel, setChannel] = useState<string | null>(null)
  const [recipient, setRecipient] = useState({ name: '', wallet: '' })
  const channels = useRead(['channels'], (signal) => gateway.channels.list({ signal }).all(), { staleTime: 60_000 })
  const send = useWrite(() => gateway.payments.return({ id }, channel === null ? {} : { channel, recipient }), GROUPS)
  return (
    <Confirm
      title={w.return}
      action={w.willReturn}
      isDangerous
      onConfirm={() => send.mutateAsync(undefined)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text>{w.returnHow(moneyText(suspended, currency, language))}</Text>
        <Select
          label={w.returnChannel}
          data={(channels.data ?? [])
            .filter(({ currencies }) => currencies.length > 0)
            .map(({ id: value, name }) => ({ value, label: name }))}
          value={channel}
          onChange={setChannel}
          clearable
          clearButtonProps={{ 'aria-label': w.returnChannel }}
        />
        {channel !== null && (
          <>
            <TextInput
              label={w.returnName}
              value={recipient.name}
              onChange={(event) => setRecipient({ ...recipient, name: event.currentTarget.value })}
            />
            <TextInput
              label={w.returnWallet}
              value={recipient.wallet}
              onChange={(event) => setRecipient({ ...recipient, wallet: event.currentTarget.value })}
            />
          </>
        )}
      </Stack>
    </Confirm>
  )
}

function Cancel({ contract: { id }, cancelNow, onClose }: Props & { readonly cancelNow: string | null }) {
  const w = useWords(PAYMENT)
  const cancel = useWrite((reason: string) => gateway.payments.cancel({ id }, reason === '' ? {} : { reason }), GROUPS)
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
