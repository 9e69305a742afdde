import { Component, type ReactNode } from 'react'
import { useLanguage } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { RotateCw, TriangleAlert } from '../ui/icons.ts'
import { State } from '../ui/state.tsx'

function Crashed() {
  const { t } = useLanguage()
  return (
    <State
      bad
      icon={TriangleAlert}
      title={t.states.crashed}
      actions={
        <Button look="primary" onClick={() => location.reload()}>
          <RotateCw size={18} aria-hidden />
          {t.actions.reload}
        </Button>
      }
    >
      {t.states.crashedText}
    </State>
  )
}

/** Also where a part of the page cannot be loaded: after an update the names of the files are others. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    return this.state.crashed ? <Crashed /> : this.props.children
  }
}
