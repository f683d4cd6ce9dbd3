// What is asked before checked rows are done: how much money goes to how many, from which wallet. What is done is the check's very
// rows, which the gateway keeps: no file is sent again.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Command, CommandSum, Wallet } from '../../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../../gateway.ts'
import { useCan } from '../../session/session.ts'
import { countText, moneyText } from '../../ui/amounts.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useLanguage, useWords } from '../../words/language.ts'
import { NEEDED, type PayoutType } from '../types.ts'
import { takesWallet } from './columns.ts'
import { NEW } from './words.ts'

type Props = {
  readonly check: Command
  readonly sums: readonly CommandSum[]
  /** The wallet that was chosen; null for that of each currency. */
  readonly wallet: string | null
  /** What the new one is called. */
  readonly name: string | null
  /** Rows of the file that are not among those of the check. */
  readonly leftOut: number
  /** The command that did the rows before; they are done once more then, and a word is typed first. */
  readonly before?: Command | undefined
  readonly onClose: () => void
}

const isPayout = (type: Command['type']): type is PayoutType => type in NEEDED

export function Start({ check, sums, wallet, name, leftOut, before, onClose }: Props) {
  const w = useWords(NEW)
  const language = useLanguage()
  const navigate = useNavigate()
  const wallets = useWallets()
  const { id: checkId, type, progress } = check
  const text = (count: number) => countText(count, language)
  const start = useWrite(
    (description: string | null, idempotencyKey) =>
      gateway.commands.create(
        { type, dry_run_id: checkId, description, ...(before && { again: true }) },
        { idempotencyKey },
      ),
    ['commands'],
    before ? `start ${checkId} after ${before.id}` : `start ${checkId}`,
  )
  return (
    <Confirm
      title={before ? w.againTitle : w.startTitle}
      action={before ? w.willStartAgain : w.willStart}
      isDangerous={before !== undefined || type === 'transfers.cancel'}
      {...(before && { typed: w.againTyped })}
      onConfirm={async () => {
        const { id } = await start.mutateAsync(name)
        await navigate(`/payouts/${id}`)
      }}
      onClose={onClose}
    >
      <Stack gap="xs">
        {before && <Text fw={600}>{w.againNote}</Text>}
        {sums.length === 0 && <Text>{w.does(text(progress.total))}</Text>}
        {sums.map(({ currency, status, rows, amount, debit }) => (
          <div key={`${currency} ${status}`}>
            <Text fw={600}>
              {isPayout(type) &&
                w[type](text(rows), moneyText(amount, currency, language), moneyText(debit, currency, language))}
            </Text>
            {isPayout(type) && takesWallet(type) && (
              <From wallet={wallets.find((each) => isFor(each, wallet, String(currency)))} />
            )}
          </div>
        ))}
        {leftOut > 0 && <Text>{w.without(text(leftOut))}</Text>}
        <Text size="sm" c="dimmed">
          {w.once}
        </Text>
      </Stack>
    </Confirm>
  )
}

const isFor = ({ id, currency, default: isDefault }: Wallet, chosen: string | null, wanted: string) =>
  currency === wanted && (chosen === null ? isDefault : id === chosen)

export function useWallets(): readonly Wallet[] {
  const can = useCan()
  const read = useRead(['wallets', 'list', 'open'], (signal) => gateway.wallets.list({}, { signal }).all(), {
    enabled: can('wallets:read'),
  })
  return (read.data ?? []).filter(({ status }) => status === 'open')
}

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

/** On the page of a check that found nothing wrong: the way to do its rows, or what did them before. */
export function StartChecked({ of, sums }: { readonly of: Command; readonly sums: readonly CommandSum[] }) {
  const w = useWords(NEW)
  const language = useLanguage()
  const can = useCan()
  const [isStarting, setStarting] = useState(false)
  const { id, type, status, progress, description } = of
  const may = can('commands:write') && isPayout(type) && NEEDED[type].every((scope) => can(scope))
  const isStartable = may && status === 'completed' && progress.done === progress.total
  const started = useRead(
    ['commands', 'of check', id],
    (signal) => gateway.commands.list({ dry_run_id: id }, { signal }).all(),
    { enabled: isStartable },
  )
  if (!isStartable || !started.data) return null
  const before = started.data.find(didRows) ?? started.data[0]
  return (
    <>
      {before ? (
        <Group gap="xs">
          <Text size="sm">{w.startedAs}</Text>
          <Anchor size="sm" component={Link} to={`/payouts/${before.id}`}>
            {before.description ?? before.id}
          </Anchor>
          <Button variant="default" onClick={() => setStarting(true)}>
            {w.startAgain}
          </Button>
        </Group>
      ) : (
        <Button onClick={() => setStarting(true)}>{w.start(countText(progress.total, language))}</Button>
      )}
      {isStarting && (
        <Start
          check={of}
          sums={sums}
          wallet={null}
          name={description}
          leftOut={0}
          before={before}
          onClose={() => setStarting(false)}
        />
      )}
    </>
  )
}

/** One that was cancelled stands behind those that were not; it may have made contracts all the same. */
const didRows = ({ status, progress }: Command) => status !== 'cancelled' || progress.done > 0
