// Moving money to another wallet of the account: a transfer on the channel between wallets, priced before it is made.
import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { GatewayError, type Wallet } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { moneyText } from '../ui/amounts.ts'
import { Facts, Money } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { ErrorNote, Note } from '../ui/feedback.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { nameOf } from './Wallets.tsx'
import { ACTIONS } from './words.ts'

const CHANNEL = 'wallet'
const TYPING_MS = 300

type Wanted = { readonly to: string; readonly amount: string }
/** What stands in the contract, and what was shown that it takes: another price is refused. */
type Agreed = { readonly description: string; readonly debit: number | undefined }

const draftOf = ({ to, amount }: Wanted, { currency }: Wallet) => ({
  amount,
  currency,
  channel: CHANNEL,
  recipient: { wallet: to },
})

/** Made, issued and paid. What the gateway refuses on the way leaves no open contract behind. */
async function move(wanted: Wanted, wallet: Wallet, { description, debit }: Agreed): Promise<string> {
  const draft = await gateway.transfers.create({ ...draftOf(wanted, wallet), description })
  try {
    const issued = await gateway.transfers.issue(draft)
    await gateway.transfers.pay(issued, { source: wallet.id, preview: { amount: debit } })
  } catch (error) {
    // Only where nothing has moved for sure.
    if (error instanceof GatewayError && error.status !== null && error.status < 500)
      await gateway.transfers.cancel({ id: draft.id }).catch(() => undefined)
    throw error
  }
  return draft.id
}

export function Move({ wallet, onClose }: { readonly wallet: Wallet; readonly onClose: () => void }) {
  const w = useWords(ACTIONS)
  const language = useLanguage()
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<Wanted>({ to: '', amount: '' })
  const others = useRead(['wallets', 'others', wallet.currency], (signal) =>
    gateway.wallets.list({ currency: wallet.currency, status: 'open' }, { signal }).all(100),
  )
  const targets = (others.data ?? []).filter(({ id }) => id !== wallet.id)
  const { offer, error } = useOffer(wanted, wallet)
  const target = targets.find(({ id }) => id === wanted.to)
  const description = w.moveTo(target ? nameOf(target) : '')
  const agreed = { description, debit: offer?.preview.amount }
  const write = useWrite(() => move(wanted, wallet, agreed), ['wallets', 'transfers', 'overview'])
  return (
    <Confirm
      title={w.moveTitle}
      action={w.move}
      isDisabled={!offer?.valid}
      onClose={onClose}
      onConfirm={() => write.mutateAsync(undefined).then((id) => navigate(`/transfers/${id}`))}
    >
      <Stack gap="sm">
        <div>{w.moveWhat(nameOf(wallet))}</div>
        {others.data && targets.length === 0 ? (
          <Note tone="info">{w.noOther}</Note>
        ) : (
          <>
            <NativeSelect
              label={w.to}
              data={[
                { value: '', label: w.choose },
                ...targets.map((each) => ({
                  value: each.id,
                  label: `${nameOf(each)} · ${moneyText(each.available, each.currency, language)}`,
                })),
              ]}
              value={wanted.to}
              onChange={(event) => setWanted({ ...wanted, to: event.currentTarget.value })}
            />
            <TextInput
              label={`${w.amount}, ${wallet.currency}`}
              inputMode="decimal"
              value={wanted.amount}
              onChange={(event) => setWanted({ ...wanted, amount: event.currentTarget.value.trim() })}
            />
          </>
        )}
        <Priced offer={offer} wallet={wallet} />
        {error ? <ErrorNote error={error} /> : null}
      </Stack>
    </Confirm>
  )
}

/** What the gateway says that the move would cost, once enough is typed. */
function useOffer(wanted: Wanted, wallet: Wallet) {
  const [asked] = useDebouncedValue(wanted, TYPING_MS)
  const isWhole = asked.to !== '' && asked.amount !== ''
  const offers = useRead(
    ['channels', 'compare', wallet.id, asked],
    (signal) => gateway.channels.compare(draftOf(asked, wallet), { signal }),
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
