import { type ReactNode, useRef } from 'react'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './import.module.css'
import { useImportTexts } from './texts.ts'

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
  const texts = useImportTexts()
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
              {texts.check}
            </Button>
            <Button variant="primary" busy={run.isPending} disabled={!isChecked} onClick={() => start(false)}>
              {submitText}
            </Button>
            {run.isPending && <Button onClick={() => abort.current?.abort()}>{texts.stop}</Button>}
          </div>
        </div>
        {run.isPending && <progress className={styles.progress} aria-label={texts.running} />}
      </Card>
      {run.isError && abort.current?.signal.aborted ? (
        <Notice tone="info" live>
          {texts.stopped}
        </Notice>
      ) : (
        <ErrorNotice error={run.error} />
      )}
    </>
  )
}

interface SuccessProps {
  stored: boolean
  children?: ReactNode
}

/** Says that nothing is wrong, or that the file is imported. */
export function Success({ stored, children }: SuccessProps) {
  const { t } = useLanguage()
  const texts = useImportTexts()
  const { slug } = useWorkspace()
  return (
    <Notice tone={stored ? 'success' : 'info'} live takesFocus>
      <p>{stored ? texts.done : texts.checked}</p>
      {children}
      {stored && (
        <LinkButton small to={pathTo(paths.purchases, { workspace: slug })}>
          {t.nav.purchases}
        </LinkButton>
      )}
    </Notice>
  )
}
