// How payers see the account and whom they may ask, with the payment page beside it as it would look.
import { Grid, SimpleGrid, TextInput } from '@mantine/core'
import type { Account } from '../../../sdk/src/index.ts'
import { useCan } from '../session/session.ts'
import { Facts } from '../ui/atoms.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { changedOf, useEdits } from '../edits.ts'
import { Form, type Problem, textOrNull } from '../ui/Form.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { AccountPage, Saved, useAccount, useAccountUpdate } from './AccountPage.tsx'
import { ColourInput } from './ColourInput.tsx'
import { LogoInput } from './LogoInput.tsx'
import { colourOf } from './payment-page.ts'
import { PaymentPagePreview } from './PaymentPagePreview.tsx'
import { BRAND, PREVIEW } from './words.ts'

const FIELDS = ['brand.name', 'brand.colour', 'brand.logo', 'support.email', 'support.phone', 'support.url']

export function Brand() {
  const read = useAccount()
  const can = useCan()
  return (
    <AccountPage>
      <Loaded of={read}>
        {(account) => (can('accounts:write') ? <Editing account={account} /> : <Looking account={account} />)}
      </Loaded>
    </AccountPage>
  )
}

type Said = {
  readonly name: string
  readonly colour: string
  readonly logo: string | null
  readonly email: string
  readonly phone: string
  readonly url: string
}

const saidOf = ({ brand, support }: Account): Said => ({
  name: brand.name ?? '',
  colour: brand.colour ?? '',
  logo: brand.logo,
  email: support.email ?? '',
  phone: support.phone ?? '',
  url: support.url ?? '',
})

const bodyOf = ({ name, colour, logo, email, phone, url }: Said) => ({
  brand: { name: textOrNull(name), colour: textOrNull(colour)?.toLowerCase() ?? null, logo },
  support: { email: textOrNull(email), phone: textOrNull(phone), url: textOrNull(url) },
})

function Editing({ account }: { readonly account: Account }) {
  const w = useWords(BRAND)
  const p = useWords(PREVIEW)
  const update = useAccountUpdate()
  const standing = saidOf(account)
  const { form: said, edits, edit, forget } = useEdits(standing)
  const submit = () => {
    const [before, after] = [bodyOf(standing), bodyOf(said)]
    const patch = {
      brand: changedOf(before.brand, after.brand),
      support: changedOf(before.support, after.support),
    }
    // Then it stands as the gateway keeps it: a number in international form, a picture without metadata.
    update.mutate(patch, { onSuccess: () => forget(edits) })
  }
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Section title={w.title}>
          <Form
            fields={FIELDS}
            error={update.error}
            action={w.save}
            isBusy={update.isPending}
            beside={<Saved isShown={update.isSuccess} />}
            onSubmit={submit}
          >
            {(problem) => <Fields account={account} said={said} onSay={edit} problem={problem} />}
          </Form>
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Section title={p.title}>
          <Preview account={account} said={said} />
        </Section>
      </Grid.Col>
    </Grid>
  )
}

type FieldsProps = {
  readonly account: Account
  readonly said: Said
  readonly onSay: (part: Partial<Said>) => void
  readonly problem: Problem
}

function Fields({ account, said, onSay, problem }: FieldsProps) {
  const w = useWords(BRAND)
  const of = (field: 'name' | 'email' | 'phone' | 'url') => ({
    value: said[field],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onSay({ [field]: event.currentTarget.value }),
  })
  return (
    <>
      <TextInput
        label={w.name}
        placeholder={account.name}
        description={w.nameHint}
        maxLength={80}
        error={problem('brand.name')}
        {...of('name')}
      />
      <ColourInput text={said.colour} error={problem('brand.colour')} onChange={(colour) => onSay({ colour })} />
      <LogoInput logo={said.logo} error={problem('brand.logo')} onChange={(logo) => onSay({ logo })} />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 1 }}>
        <TextInput
          label={w.email}
          description={w.supportHint}
          inputMode="email"
          maxLength={254}
          error={problem('support.email')}
          {...of('email')}
        />
        <TextInput
          label={w.phone}
          placeholder="+63281234567"
          inputMode="tel"
          maxLength={40}
          error={problem('support.phone')}
          {...of('phone')}
        />
        <TextInput
          label={w.url}
          placeholder="https://shop.example/help"
          inputMode="url"
          maxLength={2048}
          error={problem('support.url')}
          {...of('url')}
        />
      </SimpleGrid>
    </>
  )
}

function Preview({ account, said }: { readonly account: Account; readonly said: Said }) {
  const contacts = [said.email, said.phone, hostOf(said.url)].map((each) => each.trim()).filter((each) => each !== '')
  const shown = { name: said.name.trim() || account.name, colour: colourOf(said.colour), logo: said.logo, contacts }
  return <PaymentPagePreview {...shown} />
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '')

/** For who may only look. */
function Looking({ account }: { readonly account: Account }) {
  const w = useWords(BRAND)
  const p = useWords(PREVIEW)
  const { brand, support } = account
  return (
    <>
      <Section title={w.title}>
        <Facts
          of={[
            [w.name, brand.shown.name],
            [w.colour, brand.colour],
            [w.email, support.email],
            [w.phone, support.phone],
            [w.url, support.url],
          ]}
        />
      </Section>
      <Section title={p.title}>
        <Preview account={account} said={saidOf(account)} />
      </Section>
    </>
  )
}
