import type { ConsoleCheck } from '@saleproof/schema/console'
import { type ReactNode, useEffect, useRef } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { useKept } from '../../app/kept.ts'
import { ErrorNotice } from '../../ui/error-state.tsx'
import { CheckForm } from './check-form.tsx'
import { Result } from './result.tsx'

export interface CheckDraft {
  code: string
  keyId: string
  isChecked: boolean
}

interface CodeCheckProps {
  /** The name under which the code is kept while the page is left. */
  keptAs?: string
  /** Shown before the first check. */
  empty?: ReactNode
  /** Shown below the result. */
  details?: (check: ConsoleCheck) => ReactNode
}

/** A form that checks codes, and the result of the last check. */
export function CodeCheck({ keptAs, empty, details }: CodeCheckProps) {
  const check = useWorkspaceMutation('check')
  const { value: draft, set } = useKept<CheckDraft>(keptAs, { code: '', keyId: '', isChecked: false })
  const change = (changes: Partial<CheckDraft>) => set((previous) => ({ ...previous, ...changes }))
  const run = () => {
    change({ isChecked: true })
    check.mutate(
      { purchase_code: draft.code, ...(draft.keyId && { key_id: draft.keyId }) },
      // A key stays on the screen no longer than it must.
      { onSuccess: ({ reason }) => reason === 'api_key' && change({ code: '', isChecked: false }) },
    )
  }
  // A code that another page opened this one with, or that was checked before the page was left, is checked once.
  const isStarted = useRef(false)
  useEffect(() => {
    if (!isStarted.current && draft.isChecked) run()
    isStarted.current = true
  }, [])
  return (
    <>
      <CheckForm draft={draft} busy={check.isPending} error={check.error} onChange={change} onSubmit={run} />
      <ErrorNotice error={check.error} />
      <div role="status" className="stack">
        {check.data && (
          <Result key={check.submittedAt} check={check.data} code={check.variables?.purchase_code ?? ''} />
        )}
      </div>
      {check.data && details?.(check.data)}
      {check.isIdle && empty}
    </>
  )
}
