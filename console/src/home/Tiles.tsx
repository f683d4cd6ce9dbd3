// The figures of a period in a row.
import type { ReactNode } from 'react'
import type { Overview } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Money } from '../ui/atoms.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { OUT, sumOf, totalOf } from './figures.ts'
import { percentText, useTimeWords } from './texts.ts'
import { HOME } from './words.ts'

export function Tiles({ of, currency }: { readonly of: Overview; readonly currency: string }) {
  const w = useWords(HOME)
  const language = useLanguage()
  const within = useTimeWords()
  const can = useCan()
  const wallets = useRead(
    ['wallets', 'defaults', currency],
    (signal) => gateway.wallets.list({ currency, limit: 100 }, { signal }).page(),
    { enabled: can('wallets:read') },
  )
  const wallet = wallets.data?.items.find((each) => each.default)
  const out = totalOf(of, 'transfer', currency)
  const underWay = of.under_way.find((each) => each.currency === currency)
  const rate = out?.success_rate ?? null
  return (
    <section className="card" aria-label={`${of.from} – ${of.to}`}>
      <dl className="tiles" style={{ margin: 0 }}>
        {wallet && (
          <Tile name={w.available} beside={wallet.label ?? undefined}>
            <Money amount={wallet.available} currency={currency} />
          </Tile>
        )}
        {underWay && (
          <Tile
            name={w.underWay}
            beside={
              <>
                {w.andHeld} <Money amount={underWay.held} currency={currency} />
              </>
            }
          >
            <Money amount={underWay.in_transit} currency={currency} />
          </Tile>
        )}
        <Tile name={w.wentOut}>
          <Money amount={sumOf(of, OUT, currency).amount} currency={currency} />
        </Tile>
        <Tile name={w.cameIn}>
          <Money amount={totalOf(of, 'payment', currency)?.amount ?? 0} currency={currency} />
        </Tile>
        <Tile name={w.success}>{rate === null ? '—' : percentText(rate, language)}</Tile>
        <Tile name={w.half}>{within(out?.half_within ?? null, out?.completed ?? 0)}</Tile>
      </dl>
    </section>
  )
}

function Tile({
  name,
  beside,
  children,
}: {
  readonly name: string
  readonly beside?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {beside !== undefined && <small>{beside}</small>}
      </dd>
    </div>
  )
}
