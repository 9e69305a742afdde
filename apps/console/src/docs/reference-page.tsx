import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SplashScreen } from '../ui/loading.tsx'
import { usePageTitle } from '../ui/page.tsx'
import { Authentication, Basics, Errors, Headers } from './general-sections.tsx'
import { OperationSection } from './operation-section.tsx'
import type { Reference } from './reference.ts'
import { referenceQuery } from './reference-query.ts'
import { buildSamples, type SampleLanguage } from './samples.ts'
import { Sidebar } from './sidebar.tsx'
import { findText, useDocsTexts } from './texts.ts'

function Operations({ reference }: { reference: Reference }) {
  const { t } = useLanguage()
  const texts = useDocsTexts()
  const [sampleLanguage, setSampleLanguage] = useState<SampleLanguage>('curl')
  const sampleOptions = { baseUrl: reference.baseUrl, unknown: t.keys.snippets.unknown }
  return reference.tags.map(({ name, text }) => (
    <div key={name} className="docs-group stack">
      <h2>{findText(texts.tags, name) ?? text}</h2>
      {reference.operations
        .filter((operation) => operation.tag === name)
        .map((operation) => (
          <OperationSection
            key={operation.id}
            operation={operation}
            samples={buildSamples(operation, sampleOptions)}
            sampleLanguage={sampleLanguage}
            onSampleLanguageChange={setSampleLanguage}
          />
        ))}
    </div>
  ))
}

/** The browser looked for the part that the URL names before the page had it. */
function useScrollToHash() {
  useEffect(() => {
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [])
}

function LoadedPage({ reference }: { reference: Reference }) {
  const { t } = useLanguage()
  const texts = useDocsTexts()
  const main = useRef<HTMLElement>(null)
  useScrollToHash()
  return (
    <div className="docs-layout">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {t.skip}
      </button>
      <Sidebar reference={reference} />
      <main className="docs-main stack" ref={main} tabIndex={-1}>
        <div className="docs-titles">
          <h1>{texts.title}</h1>
          <p>{texts.lead}</p>
          <p className="muted">{texts.version(reference.version)}</p>
        </div>
        <Basics {...reference} />
        <Authentication />
        <Errors {...reference} />
        <Operations reference={reference} />
        <Headers {...reference} />
      </main>
    </div>
  )
}

export function ReferencePage() {
  const { data, error, refetch } = useQuery(referenceQuery)
  usePageTitle(useDocsTexts().title)
  if (data) return <LoadedPage reference={data} />
  return error ? <ErrorState scope="app" error={error} onRetry={refetch} /> : <SplashScreen />
}
