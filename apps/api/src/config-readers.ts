/** Says which values a variable takes; `loadConfig` adds its name. Never contains the value. */
export class InvalidValue extends Error {}

export const takes = (what: string): never => {
  throw new InvalidValue(what)
}

export type Parse<T> = (text: string) => T

export const oneOf =
  <T extends string>(choices: readonly T[]): Parse<T> =>
  (text) =>
    choices.find((choice) => choice === text) ?? takes(`one of ${choices.join(', ')}`)

export const integer =
  (low: number, high: number): Parse<number> =>
  (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return value >= low && value <= high ? value : takes(`a whole number from ${low} to ${high}`)
  }

/** Reads a variable, or returns the fallback if it is not set. */
export type ReadVariable = <T, D>(name: string, parse: Parse<T>, fallback: D) => T | D
