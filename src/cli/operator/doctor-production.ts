// gateway doctor --production: examines a production that is set up, and says of each thing whether it is right.
import { configOf } from '../../main/config/config.ts'
import type { Finding } from '../../main/operator/production-exam.ts'
import { explain } from '../faults.ts'
import { endExam, printFinding } from '../grades.ts'

const CHECK_CELLS = 26

export async function doctorOfProduction(isJson: boolean): Promise<void> {
  const { examineProduction } = await import('../../main/operator/production-exam.ts')
  const faults: string[] = []
  const config = configOf(faults)
  const findings: Finding[] = []
  try {
    for await (const finding of examineProduction(config, faults)) {
      findings.push(finding)
      if (!isJson) printFinding(finding, `${finding.check.padEnd(CHECK_CELLS)}${finding.said}`)
    }
  } catch (fault) {
    // What was found by then is no less true.
    const { code, message } = explain(fault)
    endExam(findings, isJson, isJson ? { error: { code, message } } : {})
    process.exitCode = 1
    if (isJson) return
    throw fault
  }
  endExam(findings, isJson)
}
