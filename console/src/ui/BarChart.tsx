// Bars that answer a question: the answer in a sentence above, the figures of a bar when it is pointed at, and all of them in a table
// for whoever cannot see bars. Drawn by uPlot, loaded with the screen that shows it.
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import './chart.css'

/** Figures of one kind, one for each bar. They stand on one another. */
export type BarGroup = {
  readonly name: string
  readonly values: readonly number[]
  readonly tone?: 'good' | 'warn' | 'bad'
}

type BarChartProps = {
  readonly answer: ReactNode
  /** What each bar is of, for people; the first is the name of all. */
  readonly of: string
  readonly labels: readonly string[]
  readonly groups: readonly BarGroup[]
  /** A figure in full, and short enough for an axis. */
  readonly format: (value: number) => string
  readonly formatShort: (value: number) => string
  readonly words: { readonly asTable: string; readonly pointAt: string }
}

const INKS = {
  light: ['#0b57c2', '#2c8a52', '#a85f00', '#7a4fc9', '#b8367f', '#4a5a6e'],
  dark: ['#5a97ef', '#4fbf7f', '#e0a33c', '#a98af0', '#e07bb4', '#a8b5c7'],
} as const
const TONES = {
  light: { good: '#2c8a52', warn: '#a85f00', bad: '#b92e24' },
  dark: { good: '#4fbf7f', warn: '#e0a33c', bad: '#e0756b' },
} as const
const HEIGHT = 190

type Scheme = keyof typeof INKS

const inkOf = ({ tone }: BarGroup, place: number, scheme: Scheme): string =>
  tone ? TONES[scheme][tone] : (INKS[scheme][place % INKS[scheme].length] ?? '')

export function BarChart(props: BarChartProps) {
  const { answer, groups } = props
  return (
    <figure className="chart">
      <figcaption className="chart-answer">{answer}</figcaption>
      {groups.length > 0 && <Bars {...props} />}
    </figure>
  )
}

function Bars(props: BarChartProps) {
  const { of, labels, groups, format, words } = props
  const scheme = useComputedColorScheme('light')
  const [pointed, setPointed] = useState<number | null>(null)
  const canvas = useBars(props, scheme, setPointed)
  const at = pointed === null ? undefined : labels[pointed]
  return (
    <>
      <ul className="chart-legend">
        {groups.map((group, place) => (
          <li key={group.name}>
            <span style={{ background: inkOf(group, place, scheme) }} />
            {group.name}
          </li>
        ))}
      </ul>
      <div ref={canvas} aria-hidden="true" style={{ height: HEIGHT }} />
      <div className="chart-pointed" aria-hidden="true">
        {at === undefined || pointed === null
          ? words.pointAt
          : [
              at,
              ...groups.flatMap(({ name, values }) => {
                const value = values[pointed] ?? 0
                return value === 0 ? [] : [`${name} ${format(value)}`]
              }),
            ].join(' · ')}
      </div>
      <details>
        <summary>{words.asTable}</summary>
        <div className="scrolls" tabIndex={0} role="region" aria-label={words.asTable}>
          <Figures of={of} labels={labels} groups={groups} format={format} />
        </div>
      </details>
    </>
  )
}

function Figures({ of, labels, groups, format }: Pick<BarChartProps, 'of' | 'labels' | 'groups' | 'format'>) {
  return (
    <table className="list">
      <thead>
        <tr>
          <th scope="col">{of}</th>
          {groups.map(({ name }) => (
            <th key={name} scope="col" className="right">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labels.map((label, place) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {groups.map(({ name, values }) => (
              <td key={name} className="right money">
                {format(values[place] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Draws into the element, anew where figures, theme or width change. */
function useBars({ labels, groups, formatShort }: BarChartProps, scheme: Scheme, point: (bar: number | null) => void) {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  const drawn = JSON.stringify([labels, groups])
  useEffect(() => {
    const element = ref.current
    if (!element || width === 0 || groups.length === 0) return
    const plot = new uPlot(optionsOf({ labels, groups, formatShort }, scheme, width, point), stacked(groups), element)
    return () => plot.destroy()
    // what is drawn is told by `drawn`: a new array of the same figures is drawn already
  }, [drawn, scheme, width])
  return ref
}

/** The tallest first: each is drawn from the ground, and those below it cover the rest. */
function stacked(groups: readonly BarGroup[]): uPlot.AlignedData {
  const length = groups[0]?.values.length ?? 0
  const sums: number[][] = []
  for (const { values } of groups) sums.push(values.map((value, bar) => value + (sums.at(-1)?.[bar] ?? 0)))
  return [Array.from({ length }, (_, bar) => bar), ...sums.toReversed()]
}

function optionsOf(
  { labels, groups, formatShort }: Pick<BarChartProps, 'labels' | 'groups' | 'formatShort'>,
  scheme: Scheme,
  width: number,
  point: (bar: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const ink = style.getPropertyValue('--mantine-color-dimmed')
  const line = style.getPropertyValue('--line')
  const font = `12px ${style.getPropertyValue('--mantine-font-family')}`
  const bars = uPlot.paths.bars?.({ size: [0.7, 42], radius: 0.08 })
  const inks = groups.map((group, place) => inkOf(group, place, scheme)).toReversed()
  const axis = { stroke: ink, font, ticks: { show: false } }
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    padding: [10, 8, 0, 0],
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.6, labels.length - 0.4] },
      y: { range: (_, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 56,
        size: 30,
        incrs: [1, 2, 5, 7, 10, 14, 30],
        values: (_, at) => at.map((bar) => labels[bar] ?? ''),
      },
      { ...axis, grid: { stroke: line, width: 1 }, size: 68, values: (_, at) => at.map(formatShort) },
    ],
    series: [
      {},
      ...inks.map((fill) => ({
        fill,
        stroke: fill,
        width: 0,
        points: { show: false },
        ...(bars ? { paths: bars } : {}),
      })),
    ],
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)] },
  }
}
