export type MaybeAsync<T> = T | Promise<T>

/** Continues at once where nothing has to be waited for: a promise for each request costs more than most of what is done for it. */
export const mapMaybeAsync = <T, R>(value: MaybeAsync<T>, act: (value: T) => MaybeAsync<R>): MaybeAsync<R> =>
  value instanceof Promise ? value.then(act) : act(value)
