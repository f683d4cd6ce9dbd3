// Makes the tables of docs/scaling.md, between its two marks: the model and the simulation with what was measured.
import { readFileSync } from 'node:fs'
import type { Measured } from '../bench/scaling/model.ts'
import { scalingTables } from '../bench/scaling/tables.ts'
import { settleGenerated } from './generated.ts'

const PAGE = 'docs/scaling.md'
const [BEGIN, END] = ['<!-- reckoned: begin -->', '<!-- reckoned: end -->']

const measured = JSON.parse(readFileSync('bench/scaling/measured.json', 'utf8')) as Measured
const page = readFileSync(PAGE, 'utf8')
const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
if (from < 0 || to < from) throw new Error(`${PAGE} lacks its marks`)
const text = `${page.slice(0, from)}${BEGIN}\n\n${scalingTables(measured)}\n${page.slice(to)}`
settleGenerated([{ path: PAGE, text }])
