// The program that Node runs: the command line in a process of its own.
import { FAILED, main } from './main.ts'

// The reader of a pipe may leave early (gateway … | head): that is no fault.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => process.exit(fault.code === 'EPIPE' ? 0 : FAILED))

const code = await main(process.argv.slice(2))
// At once, whatever is open still: a start that failed between two steps would else stay, deaf, and hold its port.
if (code !== 0) process.exit(code)
