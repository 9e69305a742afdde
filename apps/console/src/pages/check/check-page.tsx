import { useEffect, useRef, useState } from 'react'
import { useCheck } from '../../api/purchases.ts'
import { useNavigationState } from '../../app/navigation-state.tsx'
import { useLanguage } from '../../i18n/language.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { errorText } from '../../ui/error-state.tsx'
import { ScanSearch } from '../../ui/icons.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import styles from './check.module.css'
import { CheckForm } from './check-form.tsx'
import { Answers } from './responses.tsx'
import { Reason } from './result.tsx'

/** A code that was given by the page before is checked at once. */
function useCodeToCheck(checkCode: (code: string) => void) {
  const given = useNavigationState('check')
  const checked = useRef(false)
  useEffect(() => {
    if (given === undefined || checked.current) return
    checked.current = true
    checkCode(given)
  }, [given, checkCode])
  return given
}

export default function CheckPage() {
  const { t } = useLanguage()
  const check = useCheck()
  const { mutate } = check
  const [keyId, setKeyId] = useState('')
  const given = useCodeToCheck((purchase_code) => mutate({ purchase_code }))
  const [code, setCode] = useState(given ?? '')
  const submit = () => {
    if (!check.isPending) mutate({ purchase_code: code, ...(keyId && { key_id: keyId }) })
  }
  return (
    <Page title={t.check.title} lead={t.check.lead}>
      <CheckForm
        {...{ code, keyId }}
        busy={check.isPending}
        error={check.error}
        onCode={setCode}
        onKey={setKeyId}
        onCheck={submit}
      />
      {check.error && (
        <Notice tone="bad" live>
          {errorText(check.error, t)}
        </Notice>
      )}
      <div role="status" className="stack">
        {check.data && <Reason key={check.submittedAt} check={check.data} />}
      </div>
      {check.data && <Answers check={check.data} />}
      {check.isIdle && (
        <div className={styles.empty}>
          <EmptyState icon={ScanSearch} title={t.check.empty}>
            {t.check.emptyText}
          </EmptyState>
        </div>
      )}
    </Page>
  )
}
