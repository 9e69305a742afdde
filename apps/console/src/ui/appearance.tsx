import { setTheme, themes, useTheme } from '../app/theme.ts'
import { useLanguage } from '../i18n/language.tsx'
import { languageName, languages } from '../i18n/languages.ts'
import { Monitor, Moon, Sun } from './icons.ts'
import { SegmentedControl } from './segmented-control.tsx'

const icons = { system: Monitor, light: Sun, dark: Moon }

export function LanguageSelect() {
  const { t, language, setLanguage } = useLanguage()
  return (
    <SegmentedControl
      label={t.appearance.language}
      value={language}
      options={languages.map((value) => ({ value, label: <span lang={value}>{languageName(value)}</span> }))}
      onValueChange={(next) => void setLanguage(next)}
    />
  )
}

export function ThemeSelect({ iconsOnly }: { iconsOnly?: boolean }) {
  const { t } = useLanguage()
  const options = themes.map((value) => {
    const Icon = icons[value]
    const label = (
      <>
        <Icon size={16} aria-hidden />
        <span className={iconsOnly ? 'visually-hidden' : undefined}>{t.appearance.themes[value]}</span>
      </>
    )
    return { value, label }
  })
  return (
    <SegmentedControl
      label={t.appearance.theme}
      value={useTheme()}
      options={options}
      onValueChange={setTheme}
    />
  )
}
