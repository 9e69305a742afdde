import { useRef } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './import.module.css'

interface ImportStepsProps {
  /** What was found, or what is missing. */
  text: string
  submitText: string
  isReady: boolean
  /** Whether what was checked can be imported. */
  isChecked: boolean
  run: { isPending: boolean; isError: boolean; error: unknown }
  onStart: (dryRun: boolean, signal: AbortSignal) => void
}

/** Checks a file first: what is wrong is shown before anything is stored. */
export function ImportSteps({ text, submitText, isReady, isChecked, run, onStart }: ImportStepsProps) {
  const { t } = useLanguage()
  const abort = useRef<AbortController>(null)
  const start = (dryRun: boolean) => {
    abort.current = new AbortController()
    onStart(dryRun, abort.current.signal)
  }
  return (
    <>
      <Card>
        <div className={styles.actions}>
          <p>{text}</p>
          <div className="row">
            <Button busy={run.isPending} disabled={!isReady} onClick={() => start(true)}>
              {t.records.check}
            </Button>
            <Button variant="primary" busy={run.isPending} disabled={!isChecked} onClick={() => start(false)}>
              {submitText}
            </Button>
            {run.isPending && <Button onClick={() => abort.current?.abort()}>{t.records.stop}</Button>}
          </div>
        </div>
        {run.isPending && <progress className={styles.progress} aria-label={t.records.running} />}
      </Card>
      {run.isError && abort.current?.signal.aborted ? (
        <Notice tone="info" live>
          {t.records.stopped}
        </Notice>
      ) : (
        <ErrorNotice error={run.error} />
      )}
    </>
  )
}
