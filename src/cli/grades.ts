// The findings of an examination for people to read: each as it is made, and how many there are of each grade.
import { paint, print, printJson } from './output.ts'
import { stateText } from './view.ts'

export type Grade = 'pass' | 'warn' | 'fail'
type Finding = { readonly grade: Grade; readonly mend: string | null }

/** The finding in a line, and what to do about it in another. */
export function printFinding({ grade, mend }: Finding, words: string): void {
  print(`${stateText(grade)}  ${words}`)
  if (mend !== null) print(paint('dim', `      ${mend}`))
}

/** How it ends: exit code 1 where something fails. `others` go into the JSON. */
export function endExam(checks: readonly Finding[], isJson: boolean, others: object = {}): void {
  const count = (grade: Grade) => checks.filter((finding) => finding.grade === grade).length
  const [passed, warned, failed] = [count('pass'), count('warn'), count('fail')]
  if (isJson) printJson({ ...others, passed, warned, failed, checks })
  else print(`\n${passed} passed, ${warned} to consider, ${failed} failed.`)
  if (failed > 0) process.exitCode = 1
}
