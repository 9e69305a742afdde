import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export interface ChartSeries {
  /** The name of a CSS custom property. */
  color: string
  values: readonly (number | null)[]
}

export interface ChartOptions {
  kind: 'bars' | 'lines'
  /** The start of each bucket, in seconds. */
  times: readonly number[]
  /** The first is drawn at the back. */
  series: readonly ChartSeries[]
  bucketSeconds: number
  formatTime: (seconds: number) => string
  formatValue: (value: number) => string
  /** Called with the bucket under the pointer. */
  onHover: (index: number | null) => void
}

/** Reads CSS colours, which a canvas cannot use by name. */
function createColorReader(element: HTMLElement) {
  const probe = document.createElement('span')
  // With reduced motion every transition takes a moment, during which the old colour would be read.
  probe.style.transitionProperty = 'none'
  element.append(probe)
  return {
    read(name: string) {
      probe.style.color = `var(${name})`
      return getComputedStyle(probe).color
    },
    remove: () => probe.remove(),
  }
}

type ReadColor = (name: string) => string

/** Steps of the value axis for counts: no fractions. */
const countSteps = Array.from({ length: 12 }, (_, exponent) =>
  [1, 2, 5].map((step) => step * 10 ** exponent),
).flat()

/** The width of a month and its year with the space around them. */
const monthWidth = 96

/** The width of the value axis. */
const valueWidth = 56

/** Half of a date label: the last one is centred on the edge. */
const rightPadding = 28

const weekSeconds = 7 * 86_400

/** Below this bar width a gap would hide the bar. */
const minWidthWithGap = 6

/** Values without a neighbour: no line reaches them, so they need a point. */
const isolatedPoints = (values: ArrayLike<number | null | undefined> = []) =>
  Array.from(values).flatMap((value, index) =>
    value != null && values[index - 1] == null && values[index + 1] == null ? [index] : [],
  )

function buildSeries(
  { kind, series, times }: ChartOptions,
  width: number,
  readColor: ReadColor,
): UPlot.Series[] {
  const gap = width / times.length > minWidthWithGap ? 1 : 0
  const bars = UPlot.paths.bars?.({ size: [0.82, 28], radius: 0.15 })
  return series.map(({ color }) =>
    kind === 'bars'
      ? {
          fill: readColor(color),
          stroke: readColor('--card'),
          width: gap,
          points: { show: false },
          ...(bars && { paths: bars }),
        }
      : {
          stroke: readColor(color),
          width: 2,
          points: {
            show: true,
            size: 7,
            fill: readColor(color),
            filter: (chart, seriesIndex) => isolatedPoints(chart.data[seriesIndex]),
          },
          spanGaps: false,
        },
  )
}

function buildAxes(
  { kind, times, bucketSeconds, formatTime, formatValue }: ChartOptions,
  readColor: ReadColor,
): UPlot.Axis[] {
  const font = `12px ${getComputedStyle(document.documentElement).fontFamily}`
  const stroke = readColor('--text-muted')
  return [
    {
      font,
      stroke,
      grid: { show: false },
      ticks: { show: false },
      size: 28,
      space: 72,
      // Months have no even steps: between their starts a label would come twice.
      ...(bucketSeconds > weekSeconds && {
        splits: ({ width }) => {
          const step = Math.ceil((times.length * monthWidth) / (width - valueWidth - rightPadding))
          return times.filter((_, index) => index % step === 0)
        },
      }),
      values: (_, times) => times.map(formatTime),
    },
    {
      font,
      stroke,
      grid: { stroke: readColor('--border'), width: 1 },
      ticks: { show: false },
      size: valueWidth,
      gap: 8,
      space: 40,
      ...(kind === 'bars' && { incrs: countSteps }),
      values: (_, values) => values.map((value) => (value === null ? '' : formatValue(value))),
    },
  ]
}

/** Draws a chart into an element and returns a function that removes it. */
export function drawChart(element: HTMLElement, options: ChartOptions): () => void {
  const { times, series, bucketSeconds, onHover } = options
  const colors = createColorReader(element)
  const first = times[0] ?? 0
  const last = times.at(-1) ?? 0
  const chart = new UPlot(
    {
      width: element.clientWidth,
      height: element.clientHeight,
      padding: [8, rightPadding, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: true, range: () => [first - bucketSeconds / 2, last + bucketSeconds / 2] },
        y: { range: (_, lowest, highest) => [Math.min(lowest * 1.08, 0), Math.max(highest * 1.08, 1)] },
      },
      axes: buildAxes(options, colors.read),
      series: [{}, ...buildSeries(options, element.clientWidth, colors.read)],
      hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? null)] },
    },
    [[...times], ...series.map(({ values }) => [...values])],
    element,
  )
  colors.remove()
  const resizeObserver = new ResizeObserver(() =>
    chart.setSize({ width: element.clientWidth, height: element.clientHeight }),
  )
  resizeObserver.observe(element)
  return () => {
    resizeObserver.disconnect()
    chart.destroy()
  }
}
