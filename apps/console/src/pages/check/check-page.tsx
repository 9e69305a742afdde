import { useEffect, useRef, useState } from 'react'
import { useCheck } from '../../api/purchases.ts'
import { useNavigationState } from '../../app/navigation-state.tsx'
import { useLanguage } from '../../i18n/language.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-state.tsx'
import { ScanSearch } from '../../ui/icons.ts'
import { Page } from '../../ui/page.tsx'
import { CheckForm } from './check-form.tsx'
import { Responses } from './responses.tsx'
import { Result } from './result.tsx'

export default function CheckPage() {
  const { t } = useLanguage()
  const check = useCheck()
  const { mutate } = check
  const initialCode = useNavigationState('check')
  const [code, setCode] = useState(initialCode ?? '')
  const [keyId, setKeyId] = useState('')
  const submit = () => {
    if (check.isPending) return
    mutate(
      { purchase_code: code, ...(keyId && { key_id: keyId }) },
      // A key stays on the screen no longer than it must.
      { onSuccess: ({ reason }) => reason === 'api_key' && setCode('') },
    )
  }
  // A code passed on by another page is checked at once, and once only.
  const isInitialChecked = useRef(false)
  useEffect(() => {
    if (initialCode === undefined || isInitialChecked.current) return
    isInitialChecked.current = true
    mutate({ purchase_code: initialCode })
  }, [initialCode, mutate])
  return (
    <Page title={t.check.title} lead={t.check.lead}>
      <CheckForm
        code={code}
        keyId={keyId}
        busy={check.isPending}
        error={check.error}
        onCodeChange={setCode}
        onKeyChange={setKeyId}
        onSubmit={submit}
      />
      <ErrorNotice error={check.error} />
      <div role="status" className="stack">
        {check.data && <Result key={check.submittedAt} check={check.data} />}
      </div>
      {check.data && <Responses check={check.data} />}
      {check.isIdle && (
        <EmptyState icon={ScanSearch} title={t.check.empty}>
          {t.check.emptyText}
        </EmptyState>
      )}
    </Page>
  )
}
