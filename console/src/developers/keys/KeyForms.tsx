// What is asked to make, edit, roll and revoke a key; and the key itself, which is shown once.
import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Key, Scope } from '../../../../sdk/src/index.ts'
import { gateway, useWrite } from '../../gateway.ts'
import { Confirm, Secret, Dialog } from '../../ui/Confirm.tsx'
import { changedOf, useEdits } from '../../edits.ts'
import { COMMON } from '../../ui/words.ts'
import { useWords } from '../../words/language.ts'
import { isFilled, MandateForm, mandateOf, mandateText, type MandateText, NO_MANDATE } from './Mandate.tsx'
import { Bounds, boundsOf, boundsText, type BoundsText, NO_BOUNDS } from './Bounds.tsx'
import { ScopeChoice } from './ScopeChoice.tsx'
import { KEYS } from './words.ts'

const GROUPS = ['keys']
const DAY_SECONDS = 86_400

export type MadeKey = { readonly title: string; readonly key: Key; readonly text: string }

type Making = { readonly onMade: (made: MadeKey) => void; readonly onClose: () => void }

export function CreateKey({ onMade, onClose }: Making) {
  const w = useWords(KEYS)
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>([])
  const [life, setLife] = useState('')
  const [bounds, setBounds] = useState<BoundsText>(NO_BOUNDS)
  const [mandate, setMandate] = useState<MandateText>(NO_MANDATE)
  const create = useWrite(() => {
    const expires_in = life === '' ? null : Number(life) * DAY_SECONDS
    const asked = { name: name.trim(), scopes, expires_in, ...boundsOf(bounds), mandate: mandateOf(mandate) }
    return gateway.keys.create(asked as never)
  }, GROUPS)
  const confirm = async () => {
    const { key, api_key: text } = await create.mutateAsync(undefined)
    onMade({ title: w.madeTitle, key, text })
  }
  const lives = [
    { value: '', label: w.forever },
    ...[7, 30, 90].map((days) => ({ value: String(days), label: w.days(days) })),
    { value: '365', label: w.year },
  ]
  return (
    <Confirm
      title={w.createTitle}
      action={w.create}
      isDisabled={name.trim() === '' || scopes.length === 0 || !isFilled(mandate)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextInput
        label={w.name}
        description={w.nameHint}
        value={name}
        maxLength={100}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ScopeChoice value={scopes} onChange={setScopes} />
      <Select label={w.life} data={lives} value={life} allowDeselect={false} onChange={(each) => setLife(each ?? '')} />
      <Bounds value={bounds} onChange={setBounds} />
      <MandateForm value={mandate} onChange={setMandate} />
    </Confirm>
  )
}

const bodyOf = ({ name, ...bounds }: BoundsText & { readonly name: string }) => ({
  name: name.trim(),
  ...boundsOf(bounds),
})

/**
 * The mandate is one value to the gateway, and no event tells that a key has changed: what of it was not touched goes as it stands by
 * now. Nothing where none of it was touched.
 */
async function changedMandate({ id }: Key, isOn: boolean, terms: Partial<MandateText>) {
  const isTouched = isOn ? Object.keys(terms).length > 0 : terms.isOn === false
  if (!isTouched) return {}
  const newest = await gateway.keys.get(id)
  return { mandate: mandateOf({ ...mandateText(newest), ...terms, isOn }, newest) }
}

export function EditKey({ of, onClose }: { readonly of: Key; readonly onClose: () => void }) {
  const w = useWords(KEYS)
  const standing = { name: of.name, ...boundsText(of) }
  const { form, edit } = useEdits(standing)
  const { form: mandate, edits: terms, edit: setMandate } = useEdits(mandateText(of))
  const change = useWrite(async () => {
    const changed = changedOf(bodyOf(standing), bodyOf(form))
    return gateway.keys.update(of.id, { ...changed, ...(await changedMandate(of, mandate.isOn, terms)) } as never)
  }, GROUPS)
  return (
    <Confirm
      title={w.editTitle}
      action={w.save}
      isDisabled={form.name.trim() === '' || !isFilled(mandate)}
      onConfirm={() => change.mutateAsync(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={w.name}
        value={form.name}
        maxLength={100}
        data-autofocus
        onChange={(event) => edit({ name: event.currentTarget.value })}
      />
      <Bounds value={form} onChange={edit} />
      <MandateForm value={mandate} onChange={setMandate} />
    </Confirm>
  )
}

export function RollKey({ of, onMade, onClose }: Making & { readonly of: Key }) {
  const w = useWords(KEYS)
  const [overlap, setOverlap] = useState(String(DAY_SECONDS))
  const roll = useWrite(() => gateway.keys.roll(of.id, { overlap_seconds: Number(overlap) }), GROUPS)
  const confirm = async () => {
    const { key, api_key: text } = await roll.mutateAsync(undefined)
    onMade({ title: w.rolledTitle, key, text })
  }
  const overlaps = [
    { value: '0', label: w.now },
    { value: '3600', label: w.hour },
    { value: String(DAY_SECONDS), label: w.day },
    { value: String(7 * DAY_SECONDS), label: w.week },
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

export function RevokeKey({ of, onClose }: { readonly of: Key; readonly onClose: () => void }) {
  const w = useWords(KEYS)
  const revoke = useWrite(() => gateway.keys.revoke(of.id), GROUPS)
  return (
    <Confirm
      title={w.revokeTitle}
      action={w.revokeAction}
      isDangerous
      onConfirm={() => revoke.mutateAsync(undefined)}
      onClose={onClose}
    >
      <span>
        <strong>{of.name}</strong> <span className="id">{of.id}</span>
      </span>
      <span>{w.revokeWhat}</span>
    </Confirm>
  )
}

/** Closed by its button alone: a click beside it must not lose the key. */
export function ShownKey({ made, onClose }: { readonly made: MadeKey; readonly onClose: () => void }) {
  const w = useWords(KEYS)
  const c = useWords(COMMON)
  return (
    <Dialog
      onClose={onClose}
      title={`${made.title}: ${made.key.name}`}
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <Stack>
        <Secret label={w.key} text={made.text} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{w.kept}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
