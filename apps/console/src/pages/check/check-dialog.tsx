import { Dialog } from '../../ui/dialog.tsx'
import { CodeCheck } from './code-check.tsx'
import { useCheckTexts } from './texts.ts'

/** Checks codes without leaving the page. */
export default function CheckDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog dismissible={false} onClose={onClose} title={useCheckTexts().title}>
      <CodeCheck />
    </Dialog>
  )
}
