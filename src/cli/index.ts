// The program that Node runs: the command line in a process of its own.
import { FAILED, main } from './main.ts'

/** As a shell says of a program that a broken pipe has ended: 128 and SIGPIPE. */
const READER_LEFT = 141

// The reader of a pipe may leave early (gateway … | head). It is no fault, and no success either: what was asked may not be done.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? READER_LEFT : FAILED))

const code = await main(process.argv.slice(2))
// At once, whatever is open still: a start that failed between two steps would else stay, deaf, and hold its port.
if (code !== 0) process.exit(code)
