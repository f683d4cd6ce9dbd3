// What is asked to take a rail out, to script an outcome, and to end all that is scripted.
import { NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SandboxRail, SandboxScenario } from '../../../../sdk/src/index.ts'
import { gateway, useWrite } from '../../gateway.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useWords } from '../../words/language.ts'
import { SANDBOX } from './words.ts'

const GROUPS = ['sandbox']

const useScript = () => useWrite((scenario: SandboxScenario) => gateway.sandbox.script(scenario), GROUPS)

export function TakeOut({ rail, onClose }: { readonly rail: string; readonly onClose: () => void }) {
  const w = useWords(SANDBOX)
  const [outage, setOutage] = useState<'refuse_connections' | 'hang' | '503'>('503')
  const [seconds, setSeconds] = useState<number | ''>(30)
  const script = useScript()
  const kinds = [
    { value: '503', label: w.unavailable },
    { value: 'refuse_connections', label: w.refuse },
    { value: 'hang', label: w.hang },
  ]
  return (
    <Confirm
      title={w.takeOutTitle(rail)}
      action={w.takeOut}
      isDangerous
      onConfirm={() => script.mutateAsync({ rail, outage, ...(seconds === '' ? {} : { seconds }) })}
      onClose={onClose}
    >
      <span>{w.takeOutWhat}</span>
      <Select
        label={w.how}
        data={kinds}
        value={outage}
        allowDeselect={false}
        onChange={(each) => setOutage((each ?? '503') as typeof outage)}
      />
      <NumberInput
        label={w.howLong}
        min={1}
        allowDecimal={false}
        value={seconds}
        onChange={(count) => setSeconds(count === '' ? '' : Number(count))}
      />
    </Confirm>
  )
}

/** What a developer wants most; anything else is scripted by the API or the command line. */
const OUTCOMES: Readonly<Record<string, SandboxScenario>> = {
  refused: { verdict: 'refused', code: 'account_closed' },
  accepted: { verdict: 'accepted' },
  completed: { verdict: 'completed' },
  lost: { wire: 'error_after' },
  bounces: { verdict: 'completed', later: [{ after_seconds: 5, status: 'returned' }] },
}

type Wanted = {
  readonly rail: string | null
  readonly outcome: string
  readonly account: string
  readonly amount: string
  readonly times: number | ''
}

/** What is left empty matches all, and plays until it is ended. */
function scenarioOf({ rail, outcome, account, amount, times }: Wanted): SandboxScenario {
  const match = { ...(account !== '' && { account }), ...(amount !== '' && { amount }) }
  return {
    ...OUTCOMES[outcome],
    ...(rail !== null && { rail }),
    ...(Object.keys(match).length > 0 && { match }),
    ...(times !== '' && { times }),
  }
}

export function ScriptOutcome({
  rails,
  onClose,
}: {
  readonly rails: readonly SandboxRail[]
  readonly onClose: () => void
}) {
  const w = useWords(SANDBOX)
  const [rail, setRail] = useState<string | null>(null)
  const [outcome, setOutcome] = useState('refused')
  const [account, setAccount] = useState('')
  const [amount, setAmount] = useState('')
  const [times, setTimes] = useState<number | ''>(1)
  const script = useScript()
  const names: Readonly<Record<string, string | ((...facts: never[]) => string)>> = w
  const scenario = () => scenarioOf({ rail, outcome, account: account.trim(), amount: amount.trim(), times })
  return (
    <Confirm title={w.scriptTitle} action={w.script} onConfirm={() => script.mutateAsync(scenario())} onClose={onClose}>
      <span>{w.scriptWhat}</span>
      <Select
        label={w.outcome}
        data={Object.keys(OUTCOMES).map((each) => ({ value: each, label: String(names[each]) }))}
        value={outcome}
        allowDeselect={false}
        onChange={(each) => setOutcome(each ?? 'refused')}
      />
      <Select
        label={w.rail}
        placeholder={w.allRails}
        clearable
        data={rails.map((each) => each.rail)}
        value={rail}
        onChange={setRail}
      />
      <TextInput label={w.account} value={account} onChange={(event) => setAccount(event.currentTarget.value)} />
      <TextInput
        label={w.amount}
        value={amount}
        inputMode="decimal"
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <NumberInput
        label={w.times}
        min={1}
        allowDecimal={false}
        value={times}
        onChange={(count) => setTimes(count === '' ? '' : Number(count))}
      />
    </Confirm>
  )
}

export function Reset({ onClose }: { readonly onClose: () => void }) {
  const w = useWords(SANDBOX)
  const reset = useWrite(() => gateway.sandbox.reset(), GROUPS)
  return (
    <Confirm
      title={w.resetTitle}
      action={w.reset}
      isDangerous
      onConfirm={() => reset.mutateAsync(undefined)}
      onClose={onClose}
    >
      {w.resetWhat}
    </Confirm>
  )
}
