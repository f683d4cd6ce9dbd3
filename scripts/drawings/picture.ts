// What a picture of the documentation is made of: boxes with words, arrows between them, and areas behind them.
// Places are in pixels of the picture's own size, from the top left. It must not know any single picture.

/** What a box or an area stands for; the renderer has a colour for each, light and dark. */
export type Tone = 'plain' | 'ours' | 'money' | 'end' | 'doubt' | 'outside'

export type Point = readonly [x: number, y: number]

export type Box = {
  readonly at: Point
  readonly size: Point
  /** The first line is the heading. */
  readonly lines: readonly string[]
  readonly tone: Tone
}

/** A frame behind the boxes, with its name at the top. */
export type Area = { readonly at: Point; readonly size: Point; readonly title: string; readonly tone: Tone }

export type Side = 'left' | 'right' | 'top' | 'bottom'

/** Where an arrow touches a box: a side, and how far from the middle of that side. */
export type End = readonly [box: string, side: Side, offset?: number]

export type Arrow = {
  readonly from: End | Point
  readonly to: End | Point
  /** Corners on the way. */
  readonly through?: readonly Point[]
  readonly label?: string
  /** Where the label's middle is; without it the middle of the arrow's longest part. */
  readonly labelAt?: Point
  /** Dashed: it happens only sometimes, or later. */
  readonly dashed?: true
}

export type Note = { readonly at: Point; readonly text: string; readonly anchor?: 'start' | 'middle' | 'end' }

export type Picture = {
  /** The file's name in docs/pictures, without its ending. */
  readonly name: string
  readonly title: string
  /** All that the picture says, in words, for those who do not see it. */
  readonly description: string
  readonly size: Point
  readonly areas?: readonly Area[]
  readonly boxes: Readonly<Record<string, Box>>
  readonly arrows: readonly Arrow[]
  readonly notes?: readonly Note[]
}
