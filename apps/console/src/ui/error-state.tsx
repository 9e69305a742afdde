import type { ConsoleEdit, ConsoleFieldCode, ConsoleImport } from '@saleproof/schema/console'
import { ApiError } from '../api/errors.ts'
import { useLanguage } from '../i18n/language.tsx'
import type { Messages } from '../messages/en/index.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { CloudOff, RotateCw } from './icons.ts'
import { Notice } from './notice.tsx'

/** An error in words, with what to do about it. */
export function errorText(error: unknown, messages: Messages): string {
  const { errors } = messages
  if (!(error instanceof ApiError)) return errors.codes.unavailable
  // A problem of the whole request is under no name.
  const text = fieldErrorText(error, messages, '') ?? errors.codes[error.code]
  return error.retryAfter ? `${text} ${errors.retryIn(Math.ceil(error.retryAfter / 60))}` : text
}

/** What is wrong with a field of the input, by its path in the request; undefined if it is valid. */
export function fieldErrorText(error: unknown, { errors }: Messages, path: string): string | undefined {
  const code = error instanceof ApiError ? error.fields[path] : undefined
  const texts: Partial<Record<ConsoleFieldCode, string>> = errors.fields
  return code && (texts[code] ?? errors.field)
}

/** What is wrong with a field of the only record of an import; undefined if it is valid. */
export function recordErrorText(
  result: Pick<ConsoleImport, 'problems'> | undefined,
  field: string,
): string | undefined {
  const message = result?.problems.find((problem) => problem.field === field)?.message
  return message && `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
}

/** The same of an edit, and what the field holds by now where it was changed since it was read; undefined where it was not. */
export const editErrorText = (
  result: ConsoleEdit | undefined,
  field: string,
  { errors }: Messages,
  current: string,
): string | undefined =>
  result && Object.hasOwn(result.conflicts, field) ? errors.conflict(current) : recordErrorText(result, field)

/** Announces an error, if there is one. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { t } = useLanguage()
  if (!error) return null
  return <Notice tone="error">{errorText(error, t)}</Notice>
}

interface ErrorStateProps {
  error: unknown
  onRetry: () => unknown
  scope?: 'section' | 'page' | 'app'
}

export function ErrorState({ error, onRetry, scope }: ErrorStateProps) {
  const { t } = useLanguage()
  return (
    <EmptyState
      isError
      scope={scope}
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
