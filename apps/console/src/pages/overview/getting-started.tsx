import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './overview.module.css'

const dialogs = {
  key: lazyWithPreload(() => import('../api-access/new-key-dialog.tsx')),
  code: lazyWithPreload(() => import('../check/check-dialog.tsx')),
  snippet: lazyWithPreload(() => import('../api-access/snippets-dialog.tsx')),
}

const order = ['key', 'code', 'snippet'] as const

/** Shown while there are no validations. */
export default function GettingStarted() {
  const { t } = useLanguage()
  const [open, setOpen] = useState<(typeof order)[number]>()
  const { title, text, steps } = t.overview.gettingStarted
  const Open = open && dialogs[open]
  return (
    <Card className={styles.gettingStarted}>
      <h2>{title}</h2>
      <p className="secondary">{text}</p>
      <ol className={styles.steps}>
        {order.map((name) => (
          <li key={name}>
            <h3>{steps[name].title}</h3>
            <p>{steps[name].text}</p>
            <Button small variant={name === 'key' ? 'primary' : undefined} onClick={() => setOpen(name)}>
              {steps[name].action}
            </Button>
          </li>
        ))}
      </ol>
      {Open && <Open onClose={() => setOpen(undefined)} />}
    </Card>
  )
}
