import { useSyncExternalStore } from 'react'
import { preferences } from './local-storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const changed = new EventTarget()
const dark = () => matchMedia('(prefers-color-scheme: dark)')

const current = (): Theme =>
  themes.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system'

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  preferences.set('theme', theme === 'system' ? null : theme)
  changed.dispatchEvent(new Event('change'))
}

function subscribe(listener: () => void) {
  const system = dark()
  changed.addEventListener('change', listener)
  system.addEventListener('change', listener)
  return () => {
    changed.removeEventListener('change', listener)
    system.removeEventListener('change', listener)
  }
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, current)

/** Whether what is seen now is dark: a canvas has no stylesheet that could ask. */
export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () => (current() === 'system' ? dark().matches : current() === 'dark'))
