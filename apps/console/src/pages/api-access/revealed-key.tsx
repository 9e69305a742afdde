import type { KeyKind } from '@saleproof/schema/console'
import { useSignedIn } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './api-access.module.css'
import { lineFor } from './snippets.ts'

/** The key itself, to be taken away, and a line that shows that it works. */
export function RevealedKey({ apiKey, kind }: { apiKey: string; kind: KeyKind }) {
  const { t } = useLanguage()
  const { service } = useSignedIn()
  const { made } = t.keys
  return (
    <>
      <div className={styles.key}>
        <code className={styles.keyText} data-testid="api-key">
          {apiKey}
        </code>
        <CopyButton variant="primary" text={apiKey} label={made.copy} />
      </div>
      <div className={styles.key}>
        <p>{made.tryIt}</p>
        <CodeBlock
          wrap
          label={made.tryIt}
          copyLabel={made.copyLine}
          text={lineFor(service.public_url, apiKey, kind)}
        />
      </div>
    </>
  )
}
