// One API key: what it may do, its bounds, its life; edited, rolled or revoked here.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { Key } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { useCan } from '../../session/session.ts'
import { Badge, Facts, Id, Money, Status, Time } from '../../ui/atoms.tsx'
import { Loaded } from '../../ui/feedback.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { TITLES } from '../titles.ts'
import { EditKey, type MadeKey, RevokeKey, RollKey, ShownKey } from './KeyForms.tsx'
import { Day } from './Keys.tsx'
import { Spending } from './Spending.tsx'
import { SCOPE_GROUPS, groupOf } from './scopes.ts'
import { KEYS } from './words.ts'

export function OneKey() {
  const { title } = useWords(TITLES.keys)
  const { id = '' } = useParams()
  const key = useRead(['keys', 'get', id], (signal) => gateway.keys.get(id, { signal }))
  return (
    <Page
      title={key.data?.name ?? title}
      parent={[title, '/developers/keys']}
      beside={key.data && <Status of={key.data.state} />}
      actions={key.data && <Actions of={key.data} />}
    >
      <Loaded of={key}>{(data) => <Shown of={data} />}</Loaded>
    </Page>
  )
}

type Opened = 'edit' | 'roll' | 'revoke' | null

function Actions({ of }: { readonly of: Key }) {
  const w = useWords(KEYS)
  const can = useCan()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened>(null)
  const [made, setMade] = useState<MadeKey | null>(null)
  const close = () => setOpened(null)
  const kept = () => {
    setMade(null)
    if (made) void navigate(`/developers/keys/${made.key.id}`)
  }
  return (
    <>
      {can('keys:write') && of.state === 'active' && (
        <>
          <Button variant="default" onClick={() => setOpened('edit')}>
            {w.edit}
          </Button>
          <Button variant="default" onClick={() => setOpened('roll')}>
            {w.roll}
          </Button>
          <Button color="red" variant="outline" onClick={() => setOpened('revoke')}>
            {w.revoke}
          </Button>
        </>
      )}
      {opened === 'edit' && <EditKey of={of} onClose={close} />}
      {opened === 'roll' && <RollKey of={of} onMade={setMade} onClose={close} />}
      {opened === 'revoke' && <RevokeKey of={of} onClose={close} />}
      {made && <ShownKey made={made} onClose={kept} />}
    </>
  )
}

function Shown({ of }: { readonly of: Key }) {
  const w = useWords(KEYS)
  const { id, scopes, addresses, transfer_max: caps, created_at, expires_at, revoked_at, last_used_on, receiver } = of
  const groups = SCOPE_GROUPS.map((group) => [group, scopes.filter((scope) => groupOf(scope) === group)] as const)
  return (
    <>
      <Section>
        <Facts
          of={[
            [w.key, <Id key="id" id={id} isWhole />],
            receiver && [w.scopes, w.receiver],
            [w.addresses, addresses === null ? w.anywhere : addresses.join(', ')],
            [
              w.caps,
              caps === null
                ? w.anyAmount
                : caps.map(({ currency, amount }) => (
                    <div key={currency}>
                      <Money amount={amount} currency={currency} />
                    </div>
                  )),
            ],
            [w.lastUsed, <Day key="used" at={last_used_on} none={w.neverUsed} />],
            [w.made, <Time key="made" at={created_at} />],
            [w.ends, expires_at ? <Time key="ends" at={expires_at} /> : w.never],
            revoked_at === null ? null : [w.revoke, <Time key="revoked" at={revoked_at} />],
          ]}
        />
      </Section>
      {of.mandate && <Spending of={of.mandate} />}
      <Section title={w.scopes}>
        <Facts
          of={groups.map(([group, of]) =>
            of.length === 0
              ? null
              : [
                  w[group],
                  <Group key={group} gap={4}>
                    {of.map((scope) => (
                      <Badge key={scope}>{scope}</Badge>
                    ))}
                  </Group>,
                ],
          )}
        />
      </Section>
    </>
  )
}
