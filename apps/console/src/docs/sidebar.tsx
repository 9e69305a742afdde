import { useState } from 'react'
import { serviceUrl } from '../app/service-url.ts'
import { useLanguage } from '../i18n/language.tsx'
import { LanguageSelect, ThemeSelect } from '../ui/appearance.tsx'
import { Button } from '../ui/button.tsx'
import { Logo } from '../ui/logo.tsx'
import { firstSections, lastSections } from './general-sections.tsx'
import { Method } from './operation-section.tsx'
import type { Reference } from './reference.ts'
import { findText, useDocsTexts } from './texts.ts'

function Contents({ reference }: { reference: Reference }) {
  const texts = useDocsTexts()
  const linkTo = (id: (typeof firstSections | typeof lastSections)[number]) => (
    <li key={id}>
      <a className="nav-link" href={serviceUrl(`docs#${id}`)}>
        {texts[id].title}
      </a>
    </li>
  )
  return (
    <ul className="docs-contents">
      {firstSections.map(linkTo)}
      {reference.tags.map(({ name, text }) => (
        <li key={name}>
          <span className="nav-group">{findText(texts.tags, name) ?? text}</span>
          <ul>
            {reference.operations
              .filter((operation) => operation.tag === name)
              .map(({ id, method, title }) => (
                <li key={id}>
                  <a className="nav-link" href={serviceUrl(`docs#${id}`)}>
                    {findText(texts.operations, id)?.title ?? title}
                    <Method method={method} />
                  </a>
                </li>
              ))}
          </ul>
        </li>
      ))}
      {lastSections.map(linkTo)}
    </ul>
  )
}

/** Beside the page on a desk; on a phone its upper edge, with a menu. */
export function Sidebar({ reference }: { reference: Reference }) {
  const { t } = useLanguage()
  const texts = useDocsTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <header className="docs-sidebar">
      <div className="docs-bar">
        <a className="brand" href={serviceUrl('')}>
          <Logo size={28} />
          {t.product}
        </a>
        <Button small className="docs-menu-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.nav.contents}
        </Button>
      </div>
      <div className="docs-menu" data-open={isOpen}>
        <nav aria-label={texts.nav.label} onClickCapture={() => setOpen(false)}>
          <Contents reference={reference} />
          <ul className="docs-links">
            <li>
              <a className="nav-link" href={serviceUrl('')}>
                {texts.nav.start}
              </a>
            </li>
            <li>
              <a className="nav-link" href={serviceUrl('console')}>
                {texts.nav.console}
              </a>
            </li>
            <li>
              <a className="nav-link" href={serviceUrl('docs/errors')}>
                {texts.nav.errors}
              </a>
            </li>
            <li>
              <a className="nav-link" href={serviceUrl('openapi.json')}>
                openapi.json
              </a>
            </li>
          </ul>
        </nav>
        <div className="row">
          <LanguageSelect />
          <ThemeSelect iconsOnly />
        </div>
      </div>
    </header>
  )
}
