import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export interface ChartSeries {
  /** The name of a colour of the design. */
  colour: string
  values: readonly (number | null)[]
}

export interface ChartOptions {
  kind: 'bars' | 'lines'
  /** The beginning of each bucket, in seconds. */
  times: readonly number[]
  /** The first is drawn behind all others. */
  series: readonly ChartSeries[]
  /** Seconds. */
  bucket: number
  time: (seconds: number) => string
  value: (value: number) => string
  /** The bucket under the pointer, or none. */
  onPoint: (index: number | null) => void
}

/** A canvas knows no stylesheet: what a colour is right now has to be asked for. */
function colours(element: HTMLElement) {
  const probe = document.createElement('span')
  // Where people want nothing to move every change takes a moment, in which the colour is still that of before.
  probe.style.transitionProperty = 'none'
  element.append(probe)
  const known = new Map<string, string>()
  const read = (name: string) => {
    probe.style.color = `var(${name})`
    const colour = getComputedStyle(probe).color
    known.set(name, colour)
    return colour
  }
  return { of: (name: string) => known.get(name) ?? read(name), done: () => probe.remove() }
}

type Colour = (name: string) => string

/** Of what is counted there are no halves. */
const wholeSteps = Array.from(
  { length: 36 },
  (_, index) => [1, 2, 5][index % 3]! * 10 ** Math.floor(index / 3),
)

/** Half of a day's name: the last one stands at the edge. */
const roomForLastTime = 28

/** Where a value has none beside it, so that no line leads to it: it is a point, or nothing would be seen. */
const alone = (values: ArrayLike<number | null | undefined>) =>
  Array.from(values).flatMap((value, at) =>
    value != null && values[at - 1] == null && values[at + 1] == null ? [at] : [],
  )

/** Narrower bars would be nothing but their edges. */
const widthWithEdge = 6

function seriesOf({ kind, series, times }: ChartOptions, width: number, colour: Colour): UPlot.Series[] {
  const edge = width / times.length > widthWithEdge ? 1 : 0
  const bars = UPlot.paths.bars?.({ size: [0.82, 28], radius: 0.15 })
  return series.map(({ colour: name }) =>
    kind === 'bars'
      ? {
          fill: colour(name),
          stroke: colour('--card'),
          width: edge,
          points: { show: false },
          ...(bars && { paths: bars }),
        }
      : {
          stroke: colour(name),
          width: 2,
          points: { show: true, size: 7, fill: colour(name), filter: (chart, at) => alone(chart.data[at]!) },
          spanGaps: false,
        },
  )
}

function axesOf({ kind, time, value }: ChartOptions, colour: Colour): UPlot.Axis[] {
  const font = `12px ${getComputedStyle(document.documentElement).fontFamily}`
  const look = { font, stroke: colour('--ink-3') }
  const grid = { stroke: colour('--line'), width: 1 }
  return [
    {
      ...look,
      grid: { show: false },
      ticks: { show: false },
      size: 28,
      space: 72,
      values: (_, splits) => splits.map(time),
    },
    {
      ...look,
      grid,
      ticks: { show: false },
      size: 56,
      gap: 8,
      space: 40,
      ...(kind === 'bars' && { incrs: wholeSteps }),
      values: (_, splits) => splits.map((each) => (each === null ? '' : value(each))),
    },
  ]
}

/** Draws a chart into an element, and gives what takes it away again. */
export function draw(element: HTMLElement, options: ChartOptions): () => void {
  const { times, series, bucket, onPoint } = options
  const { of: colour, done } = colours(element)
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const chart = new UPlot(
    {
      width: element.clientWidth,
      height: element.clientHeight,
      padding: [8, roomForLastTime, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: true, range: () => [first - bucket / 2, last + bucket / 2] },
        y: { range: (_, __, highest) => [0, Math.max(highest * 1.08, 1)] },
      },
      axes: axesOf(options, colour),
      series: [{}, ...seriesOf(options, element.clientWidth, colour)],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    [times as number[], ...series.map(({ values }) => values as number[])],
    element,
  )
  done()
  const resizing = new ResizeObserver(() =>
    chart.setSize({ width: element.clientWidth, height: element.clientHeight }),
  )
  resizing.observe(element)
  return () => {
    resizing.disconnect()
    chart.destroy()
  }
}
