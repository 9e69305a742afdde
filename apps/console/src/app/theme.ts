import { useSyncExternalStore } from 'react'
import { preferences } from './local-storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const themeChanges = new EventTarget()

const currentTheme = (): Theme =>
  themes.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system'

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  preferences.set('theme', theme === 'system' ? null : theme)
  themeChanges.dispatchEvent(new Event('change'))
}

function subscribe(listener: () => void) {
  themeChanges.addEventListener('change', listener)
  return () => themeChanges.removeEventListener('change', listener)
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme)
