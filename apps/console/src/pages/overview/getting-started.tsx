import { useState } from 'react'
import { useWorkspaceList, useWorkspaceQuery } from '../../api/queries.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { createTexts, useLanguage } from '../../i18n/language.tsx'
import type { GettingStartedMessages } from '../../messages/en/getting-started.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './overview.module.css'

const useTexts = createTexts(
  import.meta.glob<GettingStartedMessages>('../../messages/*/getting-started.ts', {
    eager: true,
    import: 'gettingStarted',
  }),
)

const dialogs = {
  key: lazyWithPreload(() => import('../api-access/new-key-dialog.tsx')),
  code: lazyWithPreload(() => import('../check/check-dialog.tsx')),
  snippet: lazyWithPreload(() => import('../api-access/snippets-dialog.tsx')),
}

type DialogStep = keyof typeof dialogs

const order = ['sales', 'key', 'code', 'snippet'] as const

/** Which steps are left to do; undefined until that is known. */
function useOpenSteps() {
  const keys = useWorkspaceQuery('listKeys', {}).data?.keys
  const purchases = useWorkspaceList('searchPurchases', {}).data?.pages[0]?.purchases
  if (!keys || !purchases) return undefined
  const isUsed = keys.some((key) => key.last_used_at !== null)
  const hasSales = purchases.length > 0
  return {
    sales: !hasSales,
    key: !keys.some(({ state }) => state === 'live'),
    code: hasSales && !isUsed,
    snippet: !isUsed,
  }
}

/** Shown while there are no validations. */
export default function GettingStarted() {
  const { t } = useLanguage()
  const { title, titleWithSales, text, steps } = useTexts()
  const { slug } = useWorkspace()
  const open = useOpenSteps()
  // Its button stays when the step is done: the focus goes back to it.
  const [last, setLast] = useState<DialogStep>()
  const [isDialogOpen, setDialogOpen] = useState(false)
  if (!open) return null
  const shown = order.filter((name) => open[name] || name === last)
  const first = order.find((name) => open[name])
  const Dialog = isDialogOpen && last && dialogs[last]
  if (shown.length === 0)
    return (
      <Card title={t.overview.charts.validations}>
        <p className="muted">{t.overview.charts.empty}</p>
      </Card>
    )
  const action = (name: (typeof order)[number]) => {
    const variant = name === first ? 'primary' : undefined
    if (name === 'sales')
      return (
        <LinkButton small variant={variant} to={pathTo(paths.importRecords, { workspace: slug })}>
          {steps.sales.action}
        </LinkButton>
      )
    const openDialog = () => {
      setLast(name)
      setDialogOpen(true)
    }
    return (
      <Button small variant={variant} onClick={openDialog}>
        {steps[name].action}
      </Button>
    )
  }
  return (
    <Card className={styles.gettingStarted}>
      <h2>{open.sales ? title : titleWithSales}</h2>
      <p className="secondary">{text}</p>
      <ol className={styles.steps}>
        {shown.map((name) => (
          <li key={name}>
            <h3>{steps[name].title}</h3>
            <p>{steps[name].text}</p>
            {action(name)}
          </li>
        ))}
      </ol>
      {Dialog && <Dialog onClose={() => setDialogOpen(false)} />}
    </Card>
  )
}
