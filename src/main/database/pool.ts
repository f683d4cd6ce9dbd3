// One session of several connections: where many share one, a slow answer keeps all that were sent after it waiting.
import type { Session } from '../../platform/db.ts'

/** So long without an answer, and a connection is passed over: longer than what is read by key takes, or a page of a list. */
const HELD_UP_AFTER_MS = 3

type Member = {
  readonly session: Session
  /** How many wait for it. */
  waiting: number
  /** When it last answered, or was asked while nobody waited for it; of `performance.now()`. */
  answeredAtMs: number
}

/** All goes through the first of `max` connections, as long as it answers; what comes while it does not, through the next. Those are opened by then. */
export function pooled(open: () => Session, max: number): Session {
  const members: Member[] = []

  const isHeldUp = ({ waiting, answeredAtMs }: Member) =>
    waiting > 0 && performance.now() - answeredAtMs > HELD_UP_AFTER_MS
  const added = (): Member => {
    const member = { session: open(), waiting: 0, answeredAtMs: 0 }
    members.push(member)
    return member
  }
  const taken = (): Member => {
    const free = members.find((member) => !isHeldUp(member))
    if (free) return free
    return members.length < max ? added() : members.reduce((a, b) => (b.waiting < a.waiting ? b : a))
  }
  const through = async <T>(ask: (session: Session) => Promise<T>): Promise<T> => {
    const member = taken()
    if (member.waiting++ === 0) member.answeredAtMs = performance.now()
    try {
      return await ask(member.session)
    } finally {
      member.waiting--
      member.answeredAtMs = performance.now()
    }
  }

  return {
    send: (statements) => through((session) => session.send(statements)),
    transaction: (load, decide) => through((session) => session.transaction(load, decide)),
    close: async () => void (await Promise.all(members.map(({ session }) => session.close()))),
  }
}
