// What the supervisor does for the processes among themselves: it passes on that something was written, and asks all of them where one is asked.
import type { Figures } from '../../platform/metrics.ts'
import { openFigureBook } from './figures.ts'
import type { Exchange, Order, Question, Report } from './messages.ts'
import { type Asking, openAsking } from './peers.ts'

/** A process that is ready. */
export type Member = {
  readonly number: number
  readonly isLeaving: () => boolean
  readonly send: (order: Order) => void
}

export type Together = {
  readonly join: (member: Member) => void
  readonly leave: (member: Member) => void
  readonly heard: (member: Member, report: Extract<Report, Exchange | { kind: 'last' }>) => void
  /** The figures of all of them, as text. */
  readonly figures: () => Promise<string>
}

export function openTogether(): Together {
  const members = new Map<Member, Asking>()
  const book = openFigureBook<Member>()

  /** Who has ended, or does not answer in time, is left out. */
  const askAll = async (question: Question) => {
    const asked = [...members].map(([member, { ask }]) =>
      ask(question).then(
        (value) => [{ member, value }],
        () => [],
      ),
    )
    return (await Promise.all(asked)).flat()
  }
  const figures = async () => {
    for (const { member, value } of await askAll({ about: 'figures' }))
      if (members.has(member)) book.told(member, value as Figures)
    return book.text((member) => (member.isLeaving() ? null : member.number))
  }
  const answerTo = async (question: Question): Promise<unknown> =>
    question.about === 'figures' ? figures() : (await askAll(question)).map(({ value }) => value)

  return {
    join: (member) => {
      members.set(
        member,
        openAsking((id, question) => member.send({ kind: 'ask', id, question })),
      )
    },
    leave: (member) => {
      members.delete(member)
      book.ended(member)
    },
    heard: (member, report) => {
      if (report.kind === 'last') book.told(member, report.figures)
      else if (report.kind === 'answer') members.get(member)?.answered(report.id, report.value)
      else if (report.kind === 'ask')
        void answerTo(report.question).then((value) => member.send({ kind: 'answer', id: report.id, value }))
      else for (const other of members.keys()) if (other !== member) other.send(report)
    },
    figures,
  }
}
