// A form: what the gateway says about a field stands beside it, what is about none of them in a note, and the first that is wrong
// gets the focus.
import { Button, Group, Stack } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { GatewayError } from '../../../sdk/src/index.ts'
import { useWords } from '../words/language.ts'
import { ErrorNote } from './feedback.tsx'
import { COMMON } from './words.ts'

/** What is wrong with a field, by its name in the API; for the `error` of an input. */
export type Problem = (param: string) => string | undefined

/** What stands beside fields, and the error itself where some of it is about none of them. */
export function problemsOf(error: unknown, fields: readonly string[]): readonly [problem: Problem, rest: unknown] {
  if (!(error instanceof GatewayError)) return [() => undefined, error]
  const { errors, param, message } = error
  const found = errors.length > 0 ? errors : [{ param, message }]
  // A list has one field: recipient.0 belongs to it.
  const fieldOf = (name: string | null) => fields.find((field) => name === field || name?.startsWith(`${field}.`))
  const problem: Problem = (field) => found.find((each) => fieldOf(each.param) === field)?.message
  return [problem, found.every((each) => fieldOf(each.param) !== undefined) ? null : error]
}

/** For a form: once what it sent was refused, its first field that is wrong has the focus. */
export function useFocusOnProblem(refused: unknown) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (refused) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refused])
  return form
}

type FormProps = {
  /** Names of its fields in the API. */
  readonly fields: readonly string[]
  readonly error: unknown
  /** The word on the button: what it does. */
  readonly action: string
  readonly isBusy: boolean
  readonly isDisabled?: boolean
  readonly onSubmit: () => void
  readonly onCancel?: (() => void) | undefined
  /** What stands beside the button, such as that it was saved. */
  readonly beside?: ReactNode
  readonly children: (problem: Problem) => ReactNode
}

export function Form({
  fields,
  error,
  action,
  isBusy,
  isDisabled = false,
  onSubmit,
  onCancel,
  beside,
  children,
}: FormProps) {
  const w = useWords(COMMON)
  const form = useFocusOnProblem(error)
  const [problem, rest] = problemsOf(error, fields)
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy && !isDisabled) onSubmit()
      }}
    >
      <Stack gap="md">
        {children(problem)}
        {rest ? <ErrorNote error={rest} /> : null}
        <Group gap="sm">
          <Button type="submit" loading={isBusy} disabled={isDisabled}>
            {action}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {w.cancel}
            </Button>
          )}
          {beside}
        </Group>
      </Stack>
    </form>
  )
}

/** A text as the API takes it: null where there is none. */
export const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
