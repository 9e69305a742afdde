/** Calls a hook that only observes: what it throws is ignored. */
export async function notify<Event>(
  hook: ((event: Event) => unknown) | undefined,
  event: Event,
): Promise<void> {
  try {
    await hook?.(event)
  } catch {}
}
