// Moving money to another wallet of the account: a transfer on the channel between wallets, priced before it is made.
import { Anchor, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Wallet } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { isRefused } from '../once.ts'
import { moneyText } from '../ui/amounts.ts'
import { Facts, Money } from '../ui/atoms.tsx'
import { Confirm, Dialog, STAYS } from '../ui/Confirm.tsx'
import { ErrorNote, Note } from '../ui/feedback.tsx'
import { COMMON } from '../ui/words.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { CHANNEL, draftOf, type Move as Wish, move, type Moved } from './moving.ts'
import { nameOf } from './Wallets.tsx'
import { ACTIONS } from './words.ts'

const TYPING_MS = 300

type Wanted = Pick<Wish, 'to' | 'amount'>
type MoveProps = { readonly wallet: Wallet; readonly onClose: () => void }

/** What may have moved is asked about in the same words, until somebody has answered for sure. */
function useMove(from: string) {
  const navigate = useNavigate()
  const write = useWrite(
    (wish: Wish, key) => move(gateway, wish, key),
    ['wallets', 'transfers', 'overview'],
    `move ${from}`,
  )
  const unsure = write.error && !isRefused(write.error) ? write.variables : undefined
  return {
    isUnsure: unsure !== undefined,
    isFixed: write.isPending || unsure !== undefined,
    waiting: write.data?.waits ? write.data : null,
    send: async (wish: Wish) => {
      const { id, waits } = await write.mutateAsync(unsure ?? wish)
      return waits === null ? navigate(`/transfers/${id}`) : STAYS
    },
  }
}

/** The other wallets that may take the money; undefined while they are read. */
function useTargets({ id: own, currency }: MoveProps['wallet']) {
  const open = useRead(['wallets', 'others', currency], (signal) =>
    gateway.wallets.list({ currency, status: 'open' }, { signal }).all(100),
  )
  return open.data?.filter(({ id }) => id !== own)
}

export function Move({ wallet, onClose }: MoveProps) {
  const w = useWords(ACTIONS)
  const language = useLanguage()
  const [wanted, setWanted] = useState<Wanted>({ to: '', amount: '' })
  const { isUnsure, isFixed, waiting, send } = useMove(wallet.id)
  const { currency } = wallet
  const targets = useTargets(wallet)
  const { offer, error } = useOffer(wanted, wallet)
  if (waiting) return <Waits of={waiting} onClose={onClose} />
  const target = targets?.find(({ id }) => id === wanted.to)
  const name = target ? nameOf(target) : ''
  return (
    <Confirm
      title={w.moveTitle}
      action={w.move}
      isDisabled={!offer?.valid && !isUnsure}
      onClose={onClose}
      onConfirm={() =>
        send({ ...wanted, currency, from: wallet.id, description: w.moveTo(name), debit: offer?.preview.amount })
      }
    >
      <Stack gap="sm">
        <div>{w.moveWhat(nameOf(wallet))}</div>
        {targets?.length === 0 ? (
          <Note tone="info">{w.noOther}</Note>
        ) : (
          <>
            <NativeSelect
              label={w.to}
              data={[
                { value: '', label: w.choose },
                ...(targets ?? []).map((each) => ({
                  value: each.id,
                  label: `${nameOf(each)} · ${moneyText(each.available, each.currency, language)}`,
                })),
              ]}
              value={wanted.to}
              disabled={isFixed}
              onChange={(event) => setWanted({ ...wanted, to: event.currentTarget.value })}
            />
            <TextInput
              label={`${w.amount}, ${currency}`}
              inputMode="decimal"
              value={wanted.amount}
              disabled={isFixed}
              onChange={(event) => setWanted({ ...wanted, amount: event.currentTarget.value.trim() })}
            />
          </>
        )}
        {isUnsure ? (
          <Note tone="warn">{w.unsure(moneyText(wanted.amount, currency, language), name)}</Note>
        ) : (
          <Priced offer={offer} wallet={wallet} />
        )}
        {error && !isUnsure ? <ErrorNote error={error} /> : null}
      </Stack>
    </Confirm>
  )
}

/** It is made and issued, and is paid on its own page once somebody has spoken. */
function Waits({ of: { id, waits }, onClose }: { readonly of: Moved; readonly onClose: () => void }) {
  const w = useWords(ACTIONS)
  const c = useWords(COMMON)
  return (
    <Dialog title={w.moveTitle} onClose={onClose} centered closeButtonProps={{ 'aria-label': c.close }}>
      <Note tone="warn" title={w.waits}>
        <Stack gap={6}>
          <span>{waits}</span>
          <span>
            {w.waitsHow}{' '}
            <Anchor component={Link} to={`/transfers/${id}`} c="inherit" style={{ textDecoration: 'underline' }}>
              {w.waitsLink}
            </Anchor>
          </span>
        </Stack>
      </Note>
    </Dialog>
  )
}

/** What the gateway says that the move would cost, once enough is typed. */
function useOffer(wanted: Wanted, wallet: Wallet) {
  const [asked] = useDebouncedValue(wanted, TYPING_MS)
  const isWhole = asked.to !== '' && asked.amount !== ''
  const offers = useRead(
    ['channels', 'compare', wallet.id, asked],
    (signal) => gateway.channels.compare(draftOf({ ...asked, currency: wallet.currency }), { signal }),
    { enabled: isWhole },
  )
  const isCurrent = asked.to === wanted.to && asked.amount === wanted.amount
  const offer = isWhole && isCurrent ? offers.data?.channels.find(({ channel }) => channel.id === CHANNEL) : undefined
  return { offer, error: isWhole ? offers.error : null }
}

function Priced({ offer, wallet }: { readonly offer: ReturnType<typeof useOffer>['offer']; readonly wallet: Wallet }) {
  const w = useWords(ACTIONS)
  if (!offer) return null
  const { preview, missing } = offer
  return (
    <>
      <Facts
        of={[
          [w.leaves, <Money key="leaves" amount={preview.amount} currency={wallet.currency} />],
          preview.fees && [w.fee, <Money key="fee" amount={preview.fees.total} currency={wallet.currency} />],
          [w.arrives, <Money key="arrives" amount={preview.receive_amount} currency={wallet.currency} />],
          [w.after, <Money key="after" amount={wallet.available} currency={wallet.currency} />],
        ]}
      />
      {missing.map(({ code, message }) => (
        <Note key={code + message} tone="warn">
          {message}
        </Note>
      ))}
    </>
  )
}
