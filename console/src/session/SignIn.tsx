// The way in: password and then a code, or a passkey, or the company's own provider where there is one.
import { Button, Divider, PasswordInput, Radio, Stack, TextInput } from '@mantine/core'
import { useEffect, useState, type ChangeEvent } from 'react'
import { GatewayError } from '../../../sdk/src/index.ts'
import { gateway } from '../gateway.ts'
import { ErrorNote, Note } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useWords } from '../words/language.ts'
import { Door } from './Door.tsx'
import { askForPasskey, hasPasskeys } from './passkey.ts'
import { enter } from './session.ts'
import { refusedElsewhere } from './refused.ts'
import { SESSION } from './words.ts'

type Accounts = readonly { readonly id: string; readonly name: string }[]
type Step =
  | { readonly kind: 'password' }
  | { readonly kind: 'code' }
  | { readonly kind: 'account'; readonly accounts: Accounts }

const NOTHING = { email: '', password: '', code: '', account: '' }
type Filled = typeof NOTHING

/** What was typed, what is asked for next, and what came of it. */
function useSigningIn() {
  const [step, setStep] = useState<Step>({ kind: 'password' })
  const [filled, setFilled] = useState(NOTHING)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
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
  const restart = () => {
    setStep({ kind: 'password' })
    setFilled(({ email }) => ({ ...NOTHING, email }))
    setError(null)
  }
  const fill = (part: Partial<Filled>) => setFilled((before) => ({ ...before, ...part }))
  return { step, filled, fill, error, isBusy, send, restart }
}

export function SignIn({ lead }: { readonly lead?: string }) {
  const w = useWords(SESSION)
  const { step, filled, fill, error, isBusy, send, restart } = useSigningIn()
  const [refused] = useState(() => refusedElsewhere(location.search))
  // It was said: who loads the page again has not just come back.
  useEffect(() => {
    if (refused !== null) history.replaceState(null, '', location.pathname)
  }, [refused])
  return (
    <Door title={w.signIn} lead={lead ?? w.lead}>
      {refused !== null && step.kind === 'password' && <Note tone="bad">{w[refused]}</Note>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Stack gap="sm">
          <Fields step={step} filled={filled} fill={fill} />
          {error !== null && <ErrorNote error={error} />}
          <Button type="submit" loading={isBusy}>
            {step.kind === 'password' ? w.goOn : w.signIn}
          </Button>
          {step.kind !== 'password' && (
            <Button variant="subtle" onClick={restart}>
              {w.back}
            </Button>
          )}
        </Stack>
      </form>
      {step.kind === 'password' && <OtherWays />}
    </Door>
  )
}

type FieldsProps = { readonly step: Step; readonly filled: Filled; readonly fill: (part: Partial<Filled>) => void }

function Fields({ step, filled, fill }: FieldsProps) {
  const w = useWords(SESSION)
  const bound = (name: keyof Filled) => ({
    name,
    required: true,
    value: filled[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => fill({ [name]: event.currentTarget.value }),
  })
  if (step.kind === 'code')
    return (
      <TextInput label={w.code} description={w.codeHint} autoComplete="one-time-code" autoFocus {...bound('code')} />
    )
  if (step.kind === 'account')
    return (
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
    )
  return (
    <>
      <TextInput label={w.email} type="email" autoComplete="username" autoFocus {...bound('email')} />
      <PasswordInput label={w.password} autoComplete="current-password" {...bound('password')} />
    </>
  )
}

/** Whether the gateway has an OpenID provider: it says so in its page (src/http/sites/console.ts). */
const isOfferedElsewhere = () => document.querySelector('meta[name="openid"]')?.getAttribute('content') === 'on'

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
  if (!hasPasskeys() && !isOfferedElsewhere()) return null
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
      {isOfferedElsewhere() && (
        <Button
          variant="default"
          leftSection={<Icon name="external" size={16} />}
          onClick={() => void byProvider().catch(setError)}
        >
          {w.byProvider}
        </Button>
      )}
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
