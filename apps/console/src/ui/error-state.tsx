import { ApiError } from '../api/errors.ts'
import { useLanguage } from '../i18n/language.tsx'
import type { Messages } from '../messages/en.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { CloudOff, RotateCw } from './icons.ts'

/** An error in words, with what to do about it. */
export function errorText(error: unknown, { errors }: Messages): string {
  if (!(error instanceof ApiError)) return errors.codes.unavailable
  const text = errors.codes[error.code]
  return error.retryAfter ? `${text} ${errors.retryIn(Math.ceil(error.retryAfter / 60))}` : text
}

/** What is wrong with a member that was sent, in words; undefined where nothing is. */
export function fieldErrorText(error: unknown, { errors }: Messages, ...paths: string[]): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const [code] = paths.flatMap((path) => error.fields[path] ?? [])
  return code && (errors.fields[code] ?? errors.field)
}

interface ErrorStateProps {
  error: unknown
  onRetry: () => unknown
  page?: boolean
  whole?: boolean
}

export function ErrorState({ error, onRetry, page, whole }: ErrorStateProps) {
  const { t } = useLanguage()
  return (
    <EmptyState
      {...(page && { page })}
      {...(whole && { whole })}
      bad
      icon={CloudOff}
      title={t.errors.title}
      actions={
        <Button onClick={() => void onRetry()}>
          <RotateCw size={18} aria-hidden />
          {t.actions.retry}
        </Button>
      }
    >
      {errorText(error, t)}
    </EmptyState>
  )
}
