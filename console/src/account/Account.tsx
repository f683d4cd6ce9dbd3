// What the account is called and what it wants done.
import type { Account as AccountFacts } from '../../../sdk/src/index.ts'
import { useCan } from '../session/session.ts'
import { Facts, Id, Time } from '../ui/atoms.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { AccountPage, useAccount } from './AccountPage.tsx'
import { Addresses } from './Addresses.tsx'
import { spanText, useSpans } from './expiries.ts'
import { Naming } from './Naming.tsx'
import { Rules } from './Rules.tsx'
import { ACCOUNT } from './words.ts'

export function Account() {
  const read = useAccount()
  const can = useCan()
  return (
    <AccountPage>
      <Loaded of={read}>
        {(account) => (can('accounts:write') ? <Forms account={account} /> : <Shown account={account} />)}
      </Loaded>
    </AccountPage>
  )
}

function Forms({ account }: { readonly account: AccountFacts }) {
  const w = useWords(ACCOUNT)
  return (
    <>
      <Section title={w.naming}>
        <Naming account={account} />
      </Section>
      <Section title={w.rules}>
        <Rules account={account} />
      </Section>
      <Section title={w.addresses}>
        <Addresses account={account} />
      </Section>
      <Section title={w.facts}>
        <Facts
          of={[
            [w.id, <Id key="id" id={account.id} isWhole />],
            [w.since, <Time key="since" at={account.created_at} style="day" />],
          ]}
        />
      </Section>
    </>
  )
}

/** For who may only look. */
function Shown({ account }: { readonly account: AccountFacts }) {
  const w = useWords(ACCOUNT)
  const spans = useSpans()
  const { settings, cors_origins, sites } = account
  const said = (isSo: boolean) => (isSo ? w.yes : w.no)
  return (
    <>
      <Section title={w.naming}>
        <Facts
          of={[
            [w.name, account.name],
            [w.timeZone, account.time_zone],
            [w.currency, account.default_currency],
            [w.id, <Id key="id" id={account.id} isWhole />],
            [w.since, <Time key="since" at={account.created_at} style="day" />],
          ]}
        />
      </Section>
      <Section title={w.rules}>
        <Facts
          of={[
            [w.refundsAtOnce, said(settings.refunds_at_once)],
            [w.retries, settings.retries],
            [w.fallback, settings.fallback_channels.join(', ') || '—'],
            [w.returnsAtOnce, said(settings.returns_at_once)],
            [w.transferExpiry, spanText(settings.transfer_expires_in, spans, w.ownDefault)],
            [w.paymentExpiry, spanText(settings.payment_expires_in, spans, w.ownDefault)],
          ]}
        />
      </Section>
      <Section title={w.addresses}>
        <Facts
          of={[
            [w.origins, cors_origins.join(', ') || w.none],
            [w.sites, sites.join(', ') || w.anySite],
          ]}
        />
      </Section>
    </>
  )
}
