import type { ExportFormat } from '@saleproof/schema/console'
import { useState } from 'react'
import { type PurchaseQuery, useExportPurchases } from '../../api/purchases.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { saveFile } from '../../ui/download.ts'
import { errorText } from '../../ui/error-state.tsx'
import { Download } from '../../ui/icons.ts'
import { Notice } from '../../ui/notice.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'

const formats = ['csv', 'ndjson'] as const satisfies readonly ExportFormat[]

interface ExportDialogProps {
  /** The filters, without a code. */
  query: Omit<PurchaseQuery, 'purchase_code'>
  /** How many purchases it will be, in words. */
  count: string
  onClose: () => void
}

export default function ExportDialog({ query, count, onClose }: ExportDialogProps) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const file = useExportPurchases()
  const [format, setFormat] = useState<ExportFormat>('csv')
  const texts = t.purchases.export
  const download = () =>
    file.mutate(
      { ...query, format },
      {
        onSuccess: (content) =>
          saveFile(content, `purchases-${slug}-${new Date().toISOString().slice(0, 10)}.${format}`),
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.title}
      text={texts.text(count)}
      footer={
        <>
          <Button onClick={onClose}>{t.actions.close}</Button>
          <Button variant="primary" busy={file.isPending} onClick={download}>
            <Download size={18} aria-hidden />
            {texts.submit}
          </Button>
        </>
      }
    >
      {file.error && (
        <Notice tone="bad" live>
          {errorText(file.error, t)}
        </Notice>
      )}
      {file.isSuccess && (
        <Notice tone="good" live>
          {texts.done}
        </Notice>
      )}
      <RadioGroup
        legend={texts.format}
        value={format}
        choices={formats.map((each) => ({
          value: each,
          name: texts.formats[each],
          text: texts.formatTexts[each],
        }))}
        onChange={setFormat}
      />
    </Dialog>
  )
}
