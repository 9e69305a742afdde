/** What a plot shows between: both ends of its value axis. */
export interface Range {
  lowest: number
  highest: number
}

/** With some space above the highest value, and below what is negative. */
export function valueRange(values: readonly (number | null)[]): Range {
  const known = values.filter((value) => value !== null)
  return { lowest: 1.08 * Math.min(0, ...known), highest: Math.max(1, 1.08 * Math.max(0, ...known)) }
}

/** Round values, some four of them. Counts are whole. */
export function axisTicks({ lowest, highest }: Range, whole: boolean): number[] {
  const rough = (highest - lowest) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(whole ? 1 : 0, power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10))
  const ticks: number[] = []
  for (let index = Math.ceil(lowest / step); index * step <= highest; index++) ticks.push(index * step || 0)
  return ticks
}

// In a plot the x of a bucket is its index, and y is the negative value.

/** A bar for each value. */
export const toBars = (values: readonly (number | null)[]) =>
  values.map((value, index) => (value ? `M${index + 0.09} 0V${-value}h.82V0z` : '')).join('')

/** A line through the values, with gaps where there are none. */
export const toLine = (values: readonly (number | null)[]) =>
  values
    .map((value, index) =>
      value === null ? '' : `${(values[index - 1] ?? null) === null ? 'M' : 'L'}${index + 0.5} ${-value}`,
    )
    .join('')

/** Points of the values without a neighbour, which no line reaches. */
export const toPoints = (values: readonly (number | null)[]) =>
  values
    .map((value, index) =>
      value === null || (values[index - 1] ?? values[index + 1] ?? null) !== null
        ? ''
        : `M${index + 0.5} ${-value}h0`,
    )
    .join('')
