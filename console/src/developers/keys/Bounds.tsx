// From where a key may be used, and how much may leave by it at a time.
import { ActionIcon, Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { Key } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { useSignedIn } from '../../session/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { useWords } from '../../words/language.ts'
import { KEYS } from './words.ts'

export type Cap = { readonly currency: string; readonly amount: string }
export type BoundsText = { readonly addresses: string; readonly caps: readonly Cap[] }

export const NO_BOUNDS: BoundsText = { addresses: '', caps: [] }

type BoundsProps = { readonly value: BoundsText; readonly onChange: (value: BoundsText) => void }

export function Bounds({ value, onChange }: BoundsProps) {
  const w = useWords(KEYS)
  return (
    <Stack gap="md">
      <Textarea
        label={w.addresses}
        description={w.addressesHint}
        autosize
        minRows={2}
        value={value.addresses}
        onChange={(event) => onChange({ ...value, addresses: event.currentTarget.value })}
      />
      <Caps value={value} onChange={onChange} />
    </Stack>
  )
}

function Caps({ value, onChange }: BoundsProps) {
  const w = useWords(KEYS)
  const currencies = useCurrencies()
  const { caps } = value
  const change = (at: number, cap: Cap) => onChange({ ...value, caps: caps.map((each, i) => (i === at ? cap : each)) })
  const left = currencies.find((code) => !caps.some(({ currency }) => currency === code))
  return (
    <div role="group" aria-label={w.caps}>
      <Text size="sm" fw={600}>
        {w.caps}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {w.capsHint}
      </Text>
      <Stack gap="xs">
        {caps.map((cap, at) => (
          <Group key={cap.currency} gap="xs" wrap="nowrap">
            <Select
              aria-label={w.currency}
              w={110}
              data={currencies.filter((code) => code === cap.currency || !caps.some((each) => each.currency === code))}
              value={cap.currency}
              allowDeselect={false}
              searchable
              onChange={(currency) => currency !== null && change(at, { ...cap, currency })}
            />
            <TextInput
              aria-label={w.amount}
              inputMode="decimal"
              style={{ flex: 1 }}
              value={cap.amount}
              onChange={(event) => change(at, { ...cap, amount: event.currentTarget.value })}
            />
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={w.removeCap(cap.currency)}
              onClick={() => onChange({ ...value, caps: caps.filter((_, i) => i !== at) })}
            >
              <Icon name="close" size={16} />
            </ActionIcon>
          </Group>
        ))}
        {left !== undefined && (
          <Group>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onChange({ ...value, caps: [...caps, { currency: left, amount: '' }] })}
            >
              {w.addCap}
            </Button>
          </Group>
        )}
      </Stack>
    </div>
  )
}

/** Those that the account has wallets in, for no other could leave; its own first. */
export function useCurrencies(): readonly string[] {
  const { account } = useSignedIn()
  const wallets = useRead(['wallets', 'currencies'], (signal) =>
    gateway.wallets.list({ limit: 100 }, { signal }).all(500),
  )
  const all = [...new Set((wallets.data ?? []).map(({ currency }) => currency))]
  const own = account?.default_currency
  return all.toSorted((one, other) => Number(other === own) - Number(one === own))
}

/** As they are edited. */
export const boundsText = ({ addresses, transfer_max: caps }: Key): BoundsText => ({
  addresses: (addresses ?? []).join('\n'),
  caps: (caps ?? []).map(({ currency, amount }) => ({ currency, amount: String(amount) })),
})

/** As the gateway takes them. Nothing typed is no bound. */
export const boundsOf = ({ addresses, caps }: BoundsText) => {
  const lines = addresses.split(/[\s,]+/).filter((line) => line !== '')
  const filled = caps.filter(({ amount }) => amount.trim() !== '')
  return {
    addresses: lines.length === 0 ? null : lines,
    transfer_max:
      filled.length === 0 ? null : filled.map(({ currency, amount }) => ({ currency, amount: amount.trim() })),
  }
}
