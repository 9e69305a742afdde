import type { ExportFormat } from '@saleproof/schema/console/constants'
import { useState } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { saveFile } from '../../app/save-file.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-state.tsx'
import { Download } from '../../ui/icons.ts'
import { Notice } from '../../ui/notice.tsx'
import { toOptions } from '../../ui/options.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import type { PurchaseQuery } from './query.ts'
import { usePurchaseTexts } from './texts.ts'

interface ExportDialogProps {
  filters: Omit<PurchaseQuery, 'search'>
  /** The number of matching purchases, in words. */
  count: string
  onClose: () => void
}

export default function ExportDialog({ filters, count, onClose }: ExportDialogProps) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const exportPurchases = useWorkspaceMutation('exportPurchases')
  const [format, setFormat] = useState<ExportFormat>('csv')
  const texts = usePurchaseTexts().export
  const download = () =>
    exportPurchases.mutate(
      { ...filters, format },
      {
        onSuccess: (file) =>
          saveFile(file, `purchases-${slug}-${new Date().toISOString().slice(0, 10)}.${format}`),
      },
    )
  return (
    <Dialog
      onClose={onClose}
      title={texts.title}
      description={texts.text(count)}
      footer={
        <>
          <Button onClick={onClose}>{t.actions.close}</Button>
          <Button variant="primary" busy={exportPurchases.isPending} onClick={download}>
            <Download size={18} aria-hidden />
            {texts.submit}
          </Button>
        </>
      }
    >
      <ErrorNotice error={exportPurchases.error} />
      {exportPurchases.isSuccess && <Notice tone="success">{texts.done}</Notice>}
      <SegmentedControl
        label={texts.format}
        value={format}
        options={toOptions(texts.formats)}
        hint={texts.formatTexts[format]}
        onValueChange={setFormat}
      />
    </Dialog>
  )
}
