// argv -> command.
import { readConfig } from '../main/config.ts'
import { startGateway } from '../main/start.ts'

const running = await startGateway(readConfig(), (line) => console.log(line))
console.log(running.url, JSON.stringify(running.dev))
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)))
process.once('SIGINT', () => void running.stop().then(() => process.exit(0)))
