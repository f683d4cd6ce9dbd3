// The way in: password and then a code, or a passkey, or the company's own provider where there is one.
import { Button, Divider, PasswordInput, Radio, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { GatewayError } from '../../../sdk/src/index.ts'
import { gateway, queries } from '../gateway.ts'
import { ErrorNote, Note } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useWords } from '../words/language.ts'
import { Door } from './Door.tsx'
import { askForPasskey, hasPasskeys } from './passkey.ts'
import { SESSION } from './words.ts'

type Accounts = readonly { readonly id: string; readonly name: string }[]
type Step =
  | { readonly kind: 'password' }
  | { readonly kind: 'code' }
  | { readonly kind: 'account'; readonly accounts: Accounts }

const enter = () => queries.resetQueries({ queryKey: ['session'] })

export function SignIn() {
  const w = useWords(SESSION)
  const [step, setStep] = useState<Step>({ kind: 'password' })
  const [filled, setFilled] = useState({ email: '', password: '', code: '', account: '' })
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const fill = (part: Partial<typeof filled>) => setFilled((before) => ({ ...before, ...part }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    const { email, password, code, account } = filled
    try {
      await gateway.sessions.create({
        email: email.trim(),
        password,
        code: code === '' ? undefined : code.replaceAll(' ', ''),
        account: account === '' ? undefined : account,
      })
      await enter()
    } catch (refused) {
      const next = nextStep(refused)
      if (next) setStep(next)
      else setError(refused)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Door title={w.signIn} lead={w.lead}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          {step.kind === 'password' && (
            <>
              <TextInput
                label={w.email}
                type="email"
                name="email"
                autoComplete="username"
                required
                value={filled.email}
                onChange={(event) => fill({ email: event.currentTarget.value })}
                autoFocus
              />
              <PasswordInput
                label={w.password}
                name="password"
                autoComplete="current-password"
                required
                value={filled.password}
                onChange={(event) => fill({ password: event.currentTarget.value })}
              />
            </>
          )}
          {step.kind === 'code' && (
            <TextInput
              label={w.code}
              description={w.codeHint}
              name="code"
              autoComplete="one-time-code"
              required
              value={filled.code}
              onChange={(event) => fill({ code: event.currentTarget.value })}
              autoFocus
            />
          )}
          {step.kind === 'account' && (
            <Radio.Group
              label={w.account}
              description={w.accountHint}
              value={filled.account}
              onChange={(account) => fill({ account })}
            >
              <Stack gap="xs" mt="xs">
                {step.accounts.map(({ id, name }) => (
                  <Radio key={id} value={id} label={name} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          {error !== null && <ErrorNote error={error} />}
          <Button type="submit" loading={isBusy}>
            {step.kind === 'password' ? w.goOn : w.signIn}
          </Button>
          {step.kind !== 'password' && (
            <Button
              variant="subtle"
              onClick={() => {
                setStep({ kind: 'password' })
                fill({ code: '', account: '' })
                setError(null)
              }}
            >
              {w.back}
            </Button>
          )}
        </Stack>
      </form>
      {step.kind === 'password' && <OtherWays />}
    </Door>
  )
}

/** What a right password still lacks; null for every other refusal. */
function nextStep(refused: unknown): Step | null {
  if (!(refused instanceof GatewayError)) return null
  if (refused.code === 'second_factor_required') return { kind: 'code' }
  if (refused.code !== 'account_required') return null
  return { kind: 'account', accounts: accountsOf(refused) }
}

function OtherWays() {
  const w = useWords(SESSION)
  const [error, setError] = useState<unknown>(null)
  const [isNone, setNone] = useState(false)
  const byPasskey = async () => {
    setError(null)
    const passkey = await askForPasskey(await gateway.sessions.passkeyOptions())
    if (passkey === null) return setNone(true)
    await gateway.sessions.create({ passkey })
    await enter()
  }
  const byProvider = async () => location.assign(await gateway.sessions.oidc())
  return (
    <Stack gap="sm">
      <Divider label={w.or} />
      {hasPasskeys() && (
        <Button
          variant="default"
          leftSection={<Icon name="key" size={16} />}
          onClick={() => void byPasskey().catch(setError)}
        >
          {w.byPasskey}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<Icon name="external" size={16} />}
        onClick={() => void byProvider().catch(setError)}
      >
        {w.byProvider}
      </Button>
      {isNone && <Note tone="info">{w.noPasskeys}</Note>}
      {error !== null && <ErrorNote error={error} />}
    </Stack>
  )
}

/** The accounts that the refusal names. */
function accountsOf(refused: GatewayError): Accounts {
  const named = /([0-9a-f-]{36}) \((.*?)\)(?=, [0-9a-f-]{36} \(|\.$)/g
  return [...refused.message.matchAll(named)].map(([, id = '', name = '']) => ({ id, name }))
}
