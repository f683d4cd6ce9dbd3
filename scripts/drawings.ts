// Draws the pictures of the documentation (docs/pictures/*.svg) from scripts/drawings/: boxes, arrows and words as data.
import { LIFE_PICTURES } from './drawings/lives.ts'
import { MONEY_PICTURES } from './drawings/money.ts'
import { SYSTEM_PICTURES } from './drawings/system.ts'
import { svgOf } from './drawings/svg.ts'
import { settleGenerated } from './generated.ts'

const pictures = [...LIFE_PICTURES, ...MONEY_PICTURES, ...SYSTEM_PICTURES]

settleGenerated(pictures.map((picture) => ({ path: `docs/pictures/${picture.name}.svg`, text: svgOf(picture) })))
