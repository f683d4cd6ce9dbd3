#!/usr/bin/env node
import { existsSync } from 'node:fs'

const built = new URL('../dist/src/cli/index.js', import.meta.url)
if (!existsSync(built)) {
  console.error('The gateway is not built yet. Run: npm ci   (or npm run build)')
  process.exit(1)
}
await import(built.href)
