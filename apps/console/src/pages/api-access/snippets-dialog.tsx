import { useLanguage } from '../../i18n/language.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Snippets } from './snippets-card.tsx'

export default function SnippetsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLanguage()
  const { title, lead } = t.keys.snippets
  return (
    <Dialog onClose={onClose} title={title} description={lead}>
      <Snippets />
    </Dialog>
  )
}
