import type { CheckReason, ConsoleCheck, ConsolePurchase } from '@saleproof/schema/console'
import { useEffect, useRef } from 'react'
import { useOpenWith } from '../../app/kept.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Receipt, Stamp } from '../../ui/receipt.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { StateBadge } from '../purchases/state-badge.tsx'
import styles from './check.module.css'
import { useCheckTexts } from './texts.ts'

interface ResultProps {
  check: ConsoleCheck
  /** What was checked. */
  code: string
}

const isValid = (reason: CheckReason) => reason === 'valid' || reason === 'valid_as_paste'

/** The API rejected the key and so says nothing about the code: that is not “invalid”. */
const isKeyRejected = (reason: CheckReason) => reason === 'key_expired' || reason === 'key_revoked'

const nearReasons: ReadonlySet<CheckReason> = new Set([
  'in_text',
  'other_case',
  'other_dashes',
  'typo',
  'cut_off',
  'customer',
])

/** Why the API rejects the code that was meant as well; undefined if it does not. */
function findStateReason({ reason, purchase }: ConsoleCheck) {
  if (!purchase || purchase.state === 'active') return undefined
  return nearReasons.has(reason) ? purchase.state : undefined
}

/** What the stamp says, and its colour. */
function chooseStamp(reason: CheckReason) {
  if (isValid(reason)) return { tone: 'success', text: 'success' } as const
  if (nearReasons.has(reason)) return { tone: 'warning', text: 'near' } as const
  const tone = isKeyRejected(reason) ? 'warning' : 'error'
  return { tone, text: tone } as const
}

/** The purchase that the pasted text probably means, to be sent back to the customer. */
function NearMatch({ purchase }: { purchase: ConsolePurchase }) {
  const { t } = useLanguage()
  const texts = useCheckTexts()
  return (
    <div className={styles.near}>
      <p>{texts.meant}</p>
      <p className={styles.nearCode}>
        <code>{purchase.purchase_code}</code>
        <CopyButton iconOnly small text={purchase.purchase_code} label={t.actions.copy} />
        <StateBadge state={purchase.state} />
      </p>
      <p>
        {purchase.item.name} · <ExactTime at={purchase.date} />
      </p>
    </div>
  )
}

/** Where the code may be found all the same: there are several that it may be, or it is shorter than a part that is looked up. */
const searchReasons: ReadonlySet<CheckReason> = new Set(['not_found', 'too_short'])

function Actions({ check, code }: ResultProps) {
  const { reason, purchase, customer, other_workspace: otherSlug } = check
  const { t } = useLanguage()
  const texts = useCheckTexts()
  const { slug } = useWorkspace()
  const openPurchase = useOpenWith<string>(paths.purchases, 'purchase')
  const search = useOpenWith<string>(paths.purchases, 'search')
  return (
    <div className={styles.actions}>
      {purchase && <Button onClick={() => openPurchase(purchase.purchase_code)}>{texts.openPurchase}</Button>}
      {customer && <Button onClick={() => search(customer.search)}>{texts.customer(customer.count)}</Button>}
      {searchReasons.has(reason) && <Button onClick={() => search(code.trim())}>{texts.search}</Button>}
      {otherSlug !== null && (
        <LinkButton to={pathTo(paths.overview, { workspace: otherSlug })}>
          {texts.goToWorkspace(otherSlug)}
        </LinkButton>
      )}
      {isKeyRejected(reason) && (
        <LinkButton to={pathTo(paths.apiAccess, { workspace: slug })}>{t.nav.apiAccess}</LinkButton>
      )}
    </div>
  )
}

/** The reason in words, with what to do. */
export function Result({ check, code }: ResultProps) {
  const texts = useCheckTexts()
  const stateReason = findStateReason(check)
  const reason = stateReason ?? check.reason
  const near = stateReason && texts.reasons[check.reason]
  const { title, text, nextStep } = texts.reasons[reason]
  const stamp = chooseStamp(reason)
  const top = useRef<HTMLDivElement>(null)
  // On a phone the result is below the fold. The braces keep the returned promise from becoming a cleanup.
  useEffect(() => {
    void top.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <Receipt ref={top} className={styles.result}>
      <div className={styles.reason}>
        <h2>{title}</h2>
        <p>{text}</p>
        {near && (
          <p>
            {near.title}. {near.text}
          </p>
        )}
        {check.purchase && nearReasons.has(check.reason) && <NearMatch purchase={check.purchase} />}
        <p className={styles.nextStep}>
          <strong>{texts.nextStep}:</strong> {nextStep}
        </p>
        {near && (
          <p className={styles.nextStep}>
            <strong>{texts.onceActive}:</strong> {near.nextStep}
          </p>
        )}
        <Actions check={check} code={code} />
      </div>
      <div className={styles.stamp}>
        <Stamp tone={stamp.tone}>{texts.stamps[stamp.text]}</Stamp>
      </div>
    </Receipt>
  )
}
