import { useLanguage } from '../../i18n/language.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CodeCheck } from './code-check.tsx'

/** Checks codes without leaving the page. */
export default function CheckDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog dismissible={false} onClose={onClose} title={useLanguage().t.nav.check}>
      <CodeCheck />
    </Dialog>
  )
}
