// gateway doctor --production: examines a production that is set up, and says of each thing whether it is right.
import { configOf } from '../../main/config/config.ts'
import type { Finding } from '../../main/operator/production-exam.ts'
import { paint, print, printJson } from '../output.ts'

const COLOURS = { pass: 'green', warn: 'yellow', fail: 'red' } as const
const CHECK_CELLS = 26

export async function doctorOfProduction(json: boolean): Promise<void> {
  const { examineProduction } = await import('../../main/operator/production-exam.ts')
  const faults: string[] = []
  const config = configOf(faults)
  const findings: Finding[] = []
  for await (const finding of examineProduction(config, faults)) {
    findings.push(finding)
    if (!json) tell(finding)
  }
  const count = (grade: Finding['grade']) => findings.filter((finding) => finding.grade === grade).length
  const [passed, warned, failed] = [count('pass'), count('warn'), count('fail')]
  if (json) printJson({ passed, warned, failed, checks: findings })
  else print(`\n${passed} passed, ${warned} to consider, ${failed} failed.`)
  if (failed > 0) process.exitCode = 1
}

function tell({ check, grade, said, mend }: Finding): void {
  print(`${paint(COLOURS[grade], grade)}  ${check.padEnd(CHECK_CELLS)}${said}`)
  if (mend !== null) print(paint('dim', `      ${mend}`))
}
