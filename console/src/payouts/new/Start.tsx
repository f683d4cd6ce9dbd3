// What is asked before a checked file is paid: how much money goes to how many, from which wallet. Its rows are sent then, and must
// be as many as were found good.
import { Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { CommandSum, Wallet } from '../../../../sdk/src/index.ts'
import { gateway, useWrite } from '../../gateway.ts'
import { countText, moneyText } from '../../ui/amounts.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useLanguage, useWords } from '../../words/language.ts'
import { takesWallet } from './columns.ts'
import { NEW } from './words.ts'
import { type Plan, sendFile } from './upload.ts'

type Props = {
  readonly file: Blob
  readonly plan: Omit<Plan, 'isCheck'>
  /** Rows that the check found good. */
  readonly rows: number
  readonly leftOut: number
  readonly sums: readonly CommandSum[]
  readonly wallets: readonly Wallet[]
  readonly onClose: () => void
}

export function Start({ file, plan, rows, leftOut, sums, wallets, onClose }: Props) {
  const w = useWords(NEW)
  const language = useLanguage()
  const navigate = useNavigate()
  const [share, setShare] = useState<number | null>(null)
  const text = (count: number) => countText(count, language)
  const start = useWrite(async () => {
    const stop = new AbortController()
    const onProgress = (bytes: number) => setShare((100 * bytes) / Math.max(1, file.size))
    const sent = await sendFile(file, { ...plan, isCheck: false }, { signal: stop.signal, onProgress })
    if (sent.rows !== rows || sent.faults.length > 0) {
      await gateway.commands.cancel(sent.command.id)
      throw new Error(w.changed)
    }
    return gateway.commands.start(sent.command.id)
  }, ['commands'])
  const good = sums.filter(({ status }) => status === 'done')
  return (
    <Confirm
      title={w.startTitle}
      action={w.willStart}
      isDangerous={plan.type === 'transfers.cancel'}
      onConfirm={async () => {
        const { id } = await start.mutateAsync(undefined)
        await navigate(`/payouts/${id}`)
      }}
      onClose={onClose}
    >
      <Stack gap="xs">
        {good.length === 0 && <Text>{w.does(text(rows))}</Text>}
        {good.map(({ currency, rows: count, amount, debit }) => (
          <div key={currency}>
            <Text fw={600}>
              {w[plan.type](text(count), moneyText(amount, currency, language), moneyText(debit, currency, language))}
            </Text>
            {takesWallet(plan.type) && (
              <From wallet={wallets.find((each) => isFor(each, plan.wallet, String(currency)))} />
            )}
          </div>
        ))}
        {leftOut > 0 && <Text>{w.without(text(leftOut))}</Text>}
        <Text size="sm" c="dimmed">
          {w.once}
        </Text>
        {share !== null && <Progress value={share} aria-label={w.willStart} />}
      </Stack>
    </Confirm>
  )
}

const isFor = ({ id, currency, default: isDefault }: Wallet, chosen: string | null, wanted: string) =>
  currency === wanted && (chosen === null ? isDefault : id === chosen)

function From({ wallet }: { readonly wallet: Wallet | undefined }) {
  const w = useWords(NEW)
  const language = useLanguage()
  if (!wallet) return null
  const { label, currency, available } = wallet
  return (
    <Text size="sm" c="dimmed">
      {w.from(label ?? String(currency), moneyText(available, String(currency), language))}
    </Text>
  )
}
