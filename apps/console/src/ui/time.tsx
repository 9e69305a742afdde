import { useEffect, useReducer } from 'react'
import { useLanguage } from '../i18n/language.tsx'

/** How long ago, or until when; the exact moment is told on request. It goes on by itself. */
export function RelativeTime({ at }: { at: string }) {
  const { format } = useLanguage()
  const [, again] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(again, 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={format.exact(at)}>
      {format.ago(at)}
    </time>
  )
}

/** A day, in the time zone of the browser; the exact moment is told on request. */
export function ShortDate({ at }: { at: string }) {
  const { format } = useLanguage()
  return (
    <time dateTime={at} title={format.exact(at)}>
      {format.date(at)}
    </time>
  )
}
