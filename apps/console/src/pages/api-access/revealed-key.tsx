import type { KeyKind } from '@saleproof/schema/console'
import type { ReactNode } from 'react'
import { useSignedIn } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PassSnippets } from '../passes/pass-snippets.tsx'
import styles from './api-access.module.css'
import { curlFor } from './snippets.ts'

interface RevealedKeyDialogProps {
  title: string
  /** What was done. */
  done?: ReactNode
  apiKey: string
  kind: KeyKind
  onClose: () => void
}

/** The key with a copy button, a command that tests it and, for the machines of buyers, a program. */
export function RevealedKeyDialog({ title, done, apiKey, kind, onClose }: RevealedKeyDialogProps) {
  const { t } = useLanguage()
  const { service } = useSignedIn()
  const texts = t.keys.created
  return (
    <Dialog
      dismissible={false}
      onClose={onClose}
      title={title}
      footer={<Button onClick={onClose}>{texts.done}</Button>}
    >
      {done && <Notice tone="success">{done}</Notice>}
      <CodeBlock wrap label={t.overview.table.key} text={apiKey} copyLabel={texts.copy}>
        <span data-testid="api-key">{apiKey}</span>
      </CodeBlock>
      <div className={styles.key}>
        <p>{texts.tryIt}</p>
        <CodeBlock
          wrap
          label={texts.tryIt}
          copyLabel={texts.copyLine}
          text={curlFor(service.public_url, apiKey, kind)}
        />
      </div>
      {kind === 'publishable' && (
        <div className={styles.key}>
          <PassSnippets apiKey={apiKey}>
            <p>{t.settings.passes.snippetsText}</p>
          </PassSnippets>
        </div>
      )}
    </Dialog>
  )
}
