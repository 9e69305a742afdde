import { chooseTheme, themes, useTheme } from '../app/theme.ts'
import { useLanguage } from '../i18n/language.tsx'
import { languageNames, languages } from '../i18n/languages.ts'
import { Monitor, Moon, Sun } from './icons.ts'
import { SegmentedControl } from './segmented-control.tsx'

const icons = { system: Monitor, light: Sun, dark: Moon }

export function LanguageChoice() {
  const { t, language, choose } = useLanguage()
  const choices = languages.map(
    (each) =>
      [
        each,
        <span key={each} lang={each}>
          {languageNames[each]}
        </span>,
      ] as const,
  )
  return (
    <SegmentedControl
      label={t.appearance.language}
      value={language}
      choices={choices}
      onChange={(next) => void choose(next)}
    />
  )
}

/** With `brief` pictures alone are seen. */
export function ThemeChoice({ brief }: { brief?: boolean }) {
  const { t } = useLanguage()
  const theme = useTheme()
  const choices = themes.map((each) => {
    const Icon = icons[each]
    const text = <span className={brief ? 'visually-hidden' : undefined}>{t.appearance.themes[each]}</span>
    return [
      each,
      <>
        <Icon size={16} aria-hidden />
        {text}
      </>,
    ] as const
  })
  return (
    <SegmentedControl label={t.appearance.theme} value={theme} choices={choices} onChange={chooseTheme} />
  )
}
