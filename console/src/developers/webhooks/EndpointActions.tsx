// What can be done with an endpoint: edit, try out, pause and resume, roll its secret, send events again, delete.
import { Button, Menu, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Replay, WebhookEndpoint } from '../../../../sdk/src/index.ts'
import { gateway, useWrite } from '../../gateway.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { useWords } from '../../words/language.ts'
import { EditEndpoint, EndpointSecrets, type ShownSecrets } from './EndpointForms.tsx'
import { Replayed, ReplayMany } from './Replays.tsx'
import { SendTest } from './SendTest.tsx'
import { WEBHOOKS } from './words.ts'

const GROUPS = ['webhookEndpoints']
const DAY_SECONDS = 86_400

type Opened = 'edit' | 'test' | 'pause' | 'roll' | 'replay' | 'remove' | null
type Of = { readonly of: WebhookEndpoint }
type Dialog = Of & { readonly onClose: () => void }

export function EndpointActions({ of }: Of) {
  const w = useWords(WEBHOOKS)
  const [opened, setOpened] = useState<Opened>(null)
  const isOn = of.status === 'enabled'
  return (
    <>
      <Button variant="default" onClick={() => setOpened('test')}>
        {w.test}
      </Button>
      <Button variant="default" onClick={() => setOpened('pause')}>
        {isOn ? w.pause : w.resume}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={14} />}>
            {w.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpened('edit')}>{w.editTitle}</Menu.Item>
          <Menu.Item onClick={() => setOpened('replay')}>{w.replay}</Menu.Item>
          <Menu.Item onClick={() => setOpened('roll')}>{w.rollSecret}</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setOpened('remove')}>
            {w.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialogs of={of} opened={opened} onClose={() => setOpened(null)} />
    </>
  )
}

function Dialogs({ of, opened, onClose }: Dialog & { readonly opened: Opened }) {
  const [shown, setShown] = useState<ShownSecrets | null>(null)
  const [replayed, setReplayed] = useState<Replay | null>(null)
  return (
    <>
      {opened === 'edit' && <EditEndpoint of={of} onClose={onClose} />}
      {opened === 'test' && <SendTest of={of} onClose={onClose} />}
      {opened === 'pause' && <Switch of={of} onClose={onClose} />}
      {opened === 'roll' && <RollSecret of={of} onRolled={setShown} onClose={onClose} />}
      {opened === 'replay' && <ReplayMany of={of} onReplayed={setReplayed} onClose={onClose} />}
      {opened === 'remove' && <Remove of={of} onClose={onClose} />}
      {replayed && <Replayed of={replayed} onClose={() => setReplayed(null)} />}
      {shown && <EndpointSecrets shown={shown} onClose={() => setShown(null)} />}
    </>
  )
}

/** Pauses one that is on, and resumes any other. */
function Switch({ of, onClose }: Dialog) {
  const w = useWords(WEBHOOKS)
  // As it was when it was asked about: the endpoint is read again before the dialog closes.
  const [isOn] = useState(of.status === 'enabled')
  const change = useWrite(
    () => (isOn ? gateway.webhookEndpoints.pause(of.id) : gateway.webhookEndpoints.resume(of.id)),
    GROUPS,
  )
  return (
    <Confirm
      title={isOn ? w.pauseTitle : w.resumeTitle}
      action={isOn ? w.pause : w.resume}
      onConfirm={() => change.mutateAsync(undefined)}
      onClose={onClose}
    >
      {isOn ? w.pauseWhat : w.resumeWhat}
    </Confirm>
  )
}

function RollSecret({ of, onRolled, onClose }: Dialog & { readonly onRolled: (shown: ShownSecrets) => void }) {
  const w = useWords(WEBHOOKS)
  const [overlap, setOverlap] = useState(String(DAY_SECONDS))
  const roll = useWrite(() => gateway.webhookEndpoints.rollSecret(of.id, { overlap_seconds: Number(overlap) }), GROUPS)
  const confirm = async () => {
    const { secret } = await roll.mutateAsync(undefined)
    onRolled({ title: w.rollSecret, secret, bearerToken: null })
  }
  const overlaps = [
    { value: '0', label: w.now },
    { value: '3600', label: w.hour },
    { value: String(DAY_SECONDS), label: w.day },
  ]
  return (
    <Confirm title={w.rollTitle} action={w.rollAction} onConfirm={confirm} onClose={onClose}>
      <span>{w.rollWhat}</span>
      <Select
        label={w.overlap}
        data={overlaps}
        value={overlap}
        allowDeselect={false}
        onChange={(each) => setOverlap(each ?? '0')}
      />
    </Confirm>
  )
}

function Remove({ of, onClose }: Dialog) {
  const w = useWords(WEBHOOKS)
  const navigate = useNavigate()
  const remove = useWrite(() => gateway.webhookEndpoints.delete(of.id), GROUPS)
  const confirm = async () => {
    await remove.mutateAsync(undefined)
    void navigate('/developers/webhooks')
  }
  return (
    <Confirm title={w.removeTitle} action={w.removeAction} isDangerous onConfirm={confirm} onClose={onClose}>
      <Stack gap={4}>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {of.url}
        </Text>
        <span>{w.removeWhat}</span>
      </Stack>
    </Confirm>
  )
}
