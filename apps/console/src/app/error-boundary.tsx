import { Component, type ReactNode } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { RotateCw, TriangleAlert } from '../ui/icons.ts'

function CrashScreen() {
  const { t } = useLanguage()
  return (
    <EmptyState
      isError
      icon={TriangleAlert}
      title={t.states.crashed}
      actions={
        <Button variant="primary" onClick={() => location.reload()}>
          <RotateCw size={18} aria-hidden />
          {t.actions.reload}
        </Button>
      }
    >
      {t.states.crashedText}
    </EmptyState>
  )
}

/** Also catches failed imports: after an update the files of the old version are gone. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    return this.state.crashed ? <CrashScreen /> : this.props.children
  }
}
