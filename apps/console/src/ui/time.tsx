import { useEffect, useReducer } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import styles from './time.module.css'

// Exact times are shown, not hidden in a tooltip, which neither the keyboard nor a finger reaches.

/** A date and the time of day in one line, in the browser's time zone. */
export function ExactTime({ at }: { at: string }) {
  const { format } = useLanguage()
  return (
    <time dateTime={at} title={format.exact(at)}>
      {format.dateTime(at)}
    </time>
  )
}

/** A date in the browser's time zone, with the time of day or another text beneath. */
export function ShortDate({ at, date, time }: { at: string; date?: string; time?: string }) {
  const { format } = useLanguage()
  return (
    <time className={styles.time} dateTime={at} title={format.exact(at)}>
      <span>{date ?? format.date(at)}</span> <small>{time ?? format.time(at)}</small>
    </time>
  )
}

/** “3 hours ago”, kept up to date, with the exact time beneath. */
export function RelativeTime({ at }: { at: string }) {
  const { format } = useLanguage()
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(rerender, 30_000)
    return () => clearInterval(timer)
  }, [])
  const ago = format.ago(at)
  if (ago === format.date(at)) return <ShortDate at={at} />
  return <ShortDate at={at} date={ago} time={format.dateTime(at)} />
}
