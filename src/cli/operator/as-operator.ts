// Opens the database for one command of the operator, and lets go of it whatever happens.
import { readConfig } from '../../main/config/config.ts'
import type { Operator } from '../../main/operator/operator.ts'

/** Works on the database of the configuration; an embedded server that runs is shared, one that does not is started. */
export async function asOperator<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  const { openOperator } = await import('../../main/operator/operator.ts')
  const operator = await openOperator(readConfig(), () => undefined)
  try {
    return await work(operator)
  } finally {
    await operator.close()
  }
}
