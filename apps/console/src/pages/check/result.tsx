import type { CheckReason, ConsoleCheck } from '@saleproof/schema/console'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useSetNavigationState } from '../../app/navigation-state.tsx'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Receipt, Stamp } from '../../ui/receipt.tsx'
import styles from './check.module.css'

/** Of a refused key nobody knows whether the code is good: that is no “invalid”. */
const unknown: readonly CheckReason[] = ['key_expired', 'key_revoked']

const toneOf = (reason: CheckReason) =>
  reason === 'valid' || reason === 'valid_as_paste' ? 'good' : unknown.includes(reason) ? 'warn' : 'bad'

function Actions({ check: { reason, purchase, other_workspace: other } }: { check: ConsoleCheck }) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const [, navigate] = useLocation()
  const setNavigationState = useSetNavigationState()
  const open = (code: string) => {
    setNavigationState({ purchase: code })
    navigate(pathTo(paths.purchases, { workspace: slug }))
  }
  return (
    <div className={styles.actions}>
      {purchase && <Button onClick={() => open(purchase.purchase_code)}>{t.check.open}</Button>}
      {other !== null && (
        <LinkButton to={pathTo(paths.overview, { workspace: other })}>
          {t.check.toWorkspace(other)}
        </LinkButton>
      )}
      {unknown.includes(reason) && (
        <LinkButton to={pathTo(paths.apiAccess, { workspace: slug })}>{t.nav.apiAccess}</LinkButton>
      )}
    </div>
  )
}

/** The reason in words, with what to do. */
export function Reason({ check }: { check: ConsoleCheck }) {
  const { t } = useLanguage()
  const { title, text, todo } = t.check.reasons[check.reason]
  const tone = toneOf(check.reason)
  const top = useRef<HTMLDivElement>(null)
  // On a phone it comes below what is seen. In braces: it gives a promise, which is no way to clean up.
  useEffect(() => {
    void top.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [])
  return (
    <Receipt ref={top} className={styles.verdict}>
      <div className={styles.reason}>
        <h2>{title}</h2>
        <p>{text}</p>
        <p className={styles.todo}>
          <strong>{t.check.todo}:</strong> {todo}
        </p>
        <Actions check={check} />
      </div>
      <div className={styles.stamp}>
        <Stamp pressed tone={tone}>
          {t.check.stamps[tone]}
        </Stamp>
      </div>
    </Receipt>
  )
}
