import { useEffect, useRef } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { useKept } from '../../app/kept.ts'
import { useNavigationState } from '../../app/navigation-state.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-state.tsx'
import { ScanSearch } from '../../ui/icons.ts'
import { Page } from '../../ui/page.tsx'
import { CheckForm } from './check-form.tsx'
import { Responses } from './responses.tsx'
import { Result } from './result.tsx'
import { useCheckTexts } from './texts.ts'

export default function CheckPage() {
  const texts = useCheckTexts()
  const check = useWorkspaceMutation('check')
  const { mutate } = check
  const passedCode = useNavigationState('check')
  const { value: draft, set } = useKept('check', { code: '', keyId: '', isChecked: false })
  const change = (changes: Partial<typeof draft>) => set((previous) => ({ ...previous, ...changes }))
  const run = (code: string, keyId: string) => {
    set({ code, keyId, isChecked: true })
    mutate(
      { purchase_code: code, ...(keyId && { key_id: keyId }) },
      // A key stays on the screen no longer than it must.
      { onSuccess: ({ reason }) => reason === 'api_key' && change({ code: '', isChecked: false }) },
    )
  }
  // A code that another page passed on is checked at once, one from before the page was left again, each once only.
  const isStarted = useRef(false)
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    if (passedCode !== undefined) run(passedCode, '')
    else if (draft.isChecked) run(draft.code, draft.keyId)
  }, [])
  return (
    <Page title={texts.title} lead={texts.lead}>
      <CheckForm
        code={draft.code}
        keyId={draft.keyId}
        busy={check.isPending}
        error={check.error}
        onCodeChange={(code) => change({ code, isChecked: false })}
        onKeyChange={(keyId) => change({ keyId })}
        onSubmit={() => !check.isPending && run(draft.code, draft.keyId)}
      />
      <ErrorNotice error={check.error} />
      <div role="status" className="stack">
        {check.data && <Result key={check.submittedAt} check={check.data} />}
      </div>
      {check.data && <Responses check={check.data} />}
      {check.isIdle && (
        <EmptyState icon={ScanSearch} title={texts.empty}>
          {texts.emptyText}
        </EmptyState>
      )}
    </Page>
  )
}
