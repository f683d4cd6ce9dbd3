// A picture as an SVG file: it brings its own paper and colours, light and dark, so that it can be read on any page.
// No scripts, no fonts from elsewhere.
import type { Area, Arrow, Box, End, Note, Picture, Point } from './picture.ts'

const HEADING_PX = 19
const LINE_PX = 17
const PADDING_PX = 12
/** What a letter of a label takes in a wide font: how much of the line behind it is hidden. */
const LETTER_PX = 6.9

const STYLE = `
  .paper { fill: #fdfcf9; stroke: #dcd8ce }
  text { font-family: ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 13px; fill: #3c4049 }
  .heading { font-size: 14.5px; font-weight: 650; fill: #191c22 }
  .area { font-size: 12.5px; font-weight: 650; letter-spacing: 0.03em; fill: #5a606b }
  rect { stroke-width: 1.5px }
  .behind { fill: #fdfcf9; stroke: none }
  .plain { fill: #ffffff; stroke: #8a8f99 }
  .ours { fill: #e9f1fc; stroke: #3d6fb4 }
  .money { fill: #e6f5eb; stroke: #2c8550 }
  .end { fill: #f1eefb; stroke: #7462b8 }
  .doubt { fill: #fdf1dc; stroke: #b3761d }
  .outside { fill: #f4f2ec; stroke: #8a8f99; stroke-dasharray: 5 4 }
  .frame { fill-opacity: 0.45 }
  .arrow { fill: none; stroke: #5d636e; stroke-width: 1.6px }
  .dashed { stroke-dasharray: 5 4 }
  .tip { fill: #5d636e }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #1d1f23; stroke: #3a3d44 }
    text { fill: #c6c8cd }
    .heading { fill: #f3f2ee }
    .area { fill: #a2a7b0 }
    .behind { fill: #1d1f23 }
    .plain { fill: #2a2d33; stroke: #848a95 }
    .ours { fill: #1f3049; stroke: #7fabe9 }
    .money { fill: #1c3727; stroke: #6fc48d }
    .end { fill: #2c2744; stroke: #a99bea }
    .doubt { fill: #3d2f17; stroke: #e0ac5c }
    .outside { fill: #25272c; stroke: #848a95 }
    .arrow { stroke: #a7acb6 }
    .tip { fill: #a7acb6 }
  }`

export function svgOf(picture: Picture): string {
  const [width, height] = picture.size
  const parts = [
    `<rect class="paper" x="0.75" y="0.75" width="${width - 1.5}" height="${height - 1.5}" rx="10"/>`,
    ...(picture.areas ?? []).map(areaOf),
    ...picture.arrows.map((arrow) => lineOf(picture, arrow)),
    ...Object.values(picture.boxes).map(boxOf),
    ...picture.arrows.flatMap((arrow) => labelOf(picture, arrow)),
    ...(picture.notes ?? []).map(noteOf),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">${escaped(picture.title)}</title>
<desc id="description">${escaped(picture.description)}</desc>
<style>${STYLE}
</style>
<defs><marker id="tip" viewBox="0 0 10 10" refX="8.5" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 1 L9 5 L0 9 z"/></marker></defs>
${parts.join('\n')}
</svg>
`
}

function areaOf({ at: [x, y], size: [width, height], title, tone }: Area): string {
  const frame = `<rect class="${tone} frame" x="${x}" y="${y}" width="${width}" height="${height}" rx="12"/>`
  return `${frame}<text class="area" x="${x + PADDING_PX}" y="${y + 20}">${escaped(title)}</text>`
}

function boxOf({ at: [x, y], size: [width, height], lines, tone }: Box): string {
  const tall = HEADING_PX + (lines.length - 1) * LINE_PX
  const top = y + (height - tall) / 2 + 14
  const words = lines.map((line, nth) => {
    const kind = nth === 0 ? ' class="heading"' : ''
    return `<text${kind} x="${x + width / 2}" y="${top + nth * LINE_PX + (nth > 0 ? 2 : 0)}" text-anchor="middle">${escaped(line)}</text>`
  })
  return `<rect class="${tone}" x="${x}" y="${y}" width="${width}" height="${height}" rx="7"/>${words.join('')}`
}

function pointsOf(picture: Picture, { from, through, to }: Arrow): readonly Point[] {
  return [placeOf(picture, from), ...(through ?? []), placeOf(picture, to)]
}

function placeOf({ boxes, name }: Picture, end: End | Point): Point {
  if (isPoint(end)) return end
  const [id, side, offset = 0] = end
  const box = boxes[id]
  if (!box) throw new Error(`the picture ${name} has an arrow to ${id}, and no such box`)
  const [x, y] = box.at
  const [width, height] = box.size
  if (side === 'left') return [x, y + height / 2 + offset]
  if (side === 'right') return [x + width, y + height / 2 + offset]
  return [x + width / 2 + offset, side === 'top' ? y : y + height]
}

function isPoint(end: End | Point): end is Point {
  return typeof end[0] === 'number'
}

function lineOf(picture: Picture, arrow: Arrow): string {
  const way = pointsOf(picture, arrow)
    .map(([x, y], nth) => `${nth === 0 ? 'M' : 'L'}${x} ${y}`)
    .join(' ')
  return `<path class="arrow${arrow.dashed ? ' dashed' : ''}" d="${way}" marker-end="url(#tip)"/>`
}

function labelOf(picture: Picture, arrow: Arrow): readonly string[] {
  if (arrow.label === undefined) return []
  const [x, y] = arrow.labelAt ?? middleOfLongest(pointsOf(picture, arrow))
  const wide = arrow.label.length * LETTER_PX + 8
  return [
    `<rect class="behind" x="${x - wide / 2}" y="${y - 9}" width="${wide}" height="18" rx="4"/>`,
    `<text x="${x}" y="${y + 4}" text-anchor="middle">${escaped(arrow.label)}</text>`,
  ]
}

function middleOfLongest(points: readonly Point[]): Point {
  let longest = -1
  let middle: Point = [0, 0]
  for (const [nth, end] of points.entries()) {
    const start = points[nth - 1]
    if (!start) continue
    const length = Math.hypot(end[0] - start[0], end[1] - start[1])
    if (length <= longest) continue
    longest = length
    middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]
  }
  return middle
}

function noteOf({ at: [x, y], text, anchor = 'start' }: Note): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(text)}</text>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
