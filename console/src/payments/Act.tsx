// What is asked before something is done with a payment: what happens, to which money.
import { Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { RefundRequest, ReturnRequest } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { moneyText } from '../ui/amounts.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import type { Payment, PaymentAction } from './actions.ts'
import { PAYMENT } from './page-words.ts'
import { SendElsewhere, useElsewhere } from './SendElsewhere.tsx'

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
  const { place, asking } = useElsewhere(contract)
  const refund = useWrite(
    (wanted: RefundRequest, idempotencyKey) => gateway.payments.refund({ id }, wanted, { idempotencyKey }),
    GROUPS,
    `refund ${id}`,
  )
  const text = (each: number) => moneyText(each, currency, language)
  return (
    <Confirm
      title={w.refund}
      action={w.willRefund}
      isDangerous
      isDisabled={place === null}
      reason={{ isRequired: false, max: REASON_MAX }}
      onConfirm={(reason) =>
        refund.mutateAsync({ ...(amount.trim() && { amount: amount.trim() }), ...(reason && { reason }), ...place })
      }
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
        <SendElsewhere {...asking} />
      </Stack>
    </Confirm>
  )
}

function Return({ contract, onClose }: Props) {
  const w = useWords(PAYMENT)
  const language = useLanguage()
  const { id, currency, livemode, amount_in_suspense: suspended } = contract
  const { place, asking } = useElsewhere({ livemode, currency: null })
  const send = useWrite(
    (wanted: ReturnRequest, idempotencyKey) => gateway.payments.return({ id }, wanted, { idempotencyKey }),
    GROUPS,
    `return ${id}`,
  )
  return (
    <Confirm
      title={w.return}
      action={w.willReturn}
      isDangerous
      isDisabled={place === null}
      onConfirm={() => send.mutateAsync({ ...place })}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text>{w.returnHow(moneyText(suspended, currency, language))}</Text>
        <SendElsewhere {...asking} />
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
