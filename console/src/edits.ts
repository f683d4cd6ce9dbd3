// What is typed into a form over what stands. The gateway has no version of an account, a key or an endpoint, so a form sends what was
// changed in it, and no field that only stands there: what somebody else changed meanwhile would be undone. What has a version is sent
// with the one that the form was opened with.
import { useState } from 'react'

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The members that stand otherwise than before. */
export function changedOf<T extends object>(before: T, after: Partial<T>): Partial<T> {
  const was = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(Object.entries(after).filter(([member, is]) => !same(is, was.get(member)))) as Partial<T>
}

/**
 * The fields of a form: those that were changed as they were typed, and all others as they stand by now. One that is put back as it was
 * is changed no more.
 */
export function useEdits<T extends object>(standing: T) {
  const [edits, setEdits] = useState<Partial<T>>({})
  return {
    form: { ...standing, ...edits },
    edits,
    edit: (part: Partial<T>) => setEdits((before) => changedOf(standing, { ...before, ...part })),
    /** Of what was saved: it stands as the gateway keeps it. What was typed since stays. */
    forget: (saved: Partial<T>) => setEdits((typed) => changedOf(saved, typed)),
  }
}

/** What was read when the form was opened: news of it must not slip below what is typed, or what somebody else changed is undone. */
export function useAsOpened<T>(current: T): T {
  const [opened] = useState(current)
  return opened
}
