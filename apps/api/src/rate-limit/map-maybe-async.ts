/** Goes on at once where nothing has to be waited for: a promise for each request costs more than most of what is done for it. */
export const mapMaybeAsync = <T, R>(
  value: T | Promise<T>,
  act: (value: T) => R | Promise<R>,
): R | Promise<R> => (value instanceof Promise ? value.then(act) : act(value))
