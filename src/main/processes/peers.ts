// What the processes of one start tell each other through their supervisor: figures, the latest requests, and that something was written.
import type { RequestRecord } from '../../platform/telemetry/request-log.ts'
import type { Figures } from '../../platform/metrics.ts'
import type { Question } from './messages.ts'

export type Peers = {
  /** The figures of all, as text. */
  readonly figures: () => Promise<string>
  /** The latest requests of an account in each process, this one among them. */
  readonly requestsOf: (accountId: string) => Promise<readonly (readonly RequestRecord[])[]>
  /** These accounts have new history. */
  readonly tell: (accountIds: Iterable<string>) => void
  /** Called back for the accounts that others wrote to. */
  readonly onTold: (told: (accountIds: readonly string[]) => void) => void
  /** What this process answers when it is asked. */
  readonly onAsked: (answers: Answers) => void
}

export type Answers = {
  readonly figures: () => Promise<Figures>
  readonly requestsOf: (accountId: string) => readonly RequestRecord[]
}

/** Accounts are gathered for so long: a message to each process for many writes. */
const GATHERED_MS = 5

/** Gathers accounts, and tells of all of them at once. */
export function gatherer(tell: (accountIds: readonly string[]) => void): (accountIds: Iterable<string>) => void {
  const gathered = new Set<string>()
  return (accountIds) => {
    const wasEmpty = gathered.size === 0
    for (const each of accountIds) gathered.add(each)
    if (!wasEmpty || gathered.size === 0) return
    setTimeout(() => {
      tell([...gathered])
      gathered.clear()
    }, GATHERED_MS)
  }
}

/** Longer than a busy process lets others wait, and shorter than a collector does. */
const ANSWER_WITHIN_MS = 2000

export type Asking = {
  readonly ask: (question: Question) => Promise<unknown>
  readonly answered: (id: number, value: unknown) => void
}

/** Asks whoever is at the other end of a channel. Rejects where no answer comes in time. */
export function openAsking(send: (id: number, question: Question) => void): Asking {
  const waiting = new Map<number, (value: unknown) => void>()
  let count = 0
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        const id = ++count
        const late = setTimeout(() => {
          waiting.delete(id)
          reject(new Error(`another process of this gateway did not tell its ${question.about} in time`))
        }, ANSWER_WITHIN_MS)
        waiting.set(id, (value) => {
          clearTimeout(late)
          resolve(value)
        })
        send(id, question)
      }),
    answered: (id, value) => {
      waiting.get(id)?.(value)
      waiting.delete(id)
    },
  }
}
