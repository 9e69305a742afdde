import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { preferences } from '../app/local-storage.ts'
import '../design/base.css'
import { LanguageProvider } from '../i18n/language.tsx'
import { loadTranslation, preferredLanguage } from '../i18n/languages.ts'
import { ReferencePage } from './reference-page.tsx'
import { referenceQuery } from './reference-query.ts'
import stylesheet from './styles/docs.css?url'

const queryClient = new QueryClient()
const language = preferredLanguage(preferences.get('language'), navigator.languages)

const root = document.getElementById('docs')
if (!root) throw new Error('#docs is missing')

/** Without it the page is readable, so a failure is no reason to show nothing. */
const loadStylesheet = () =>
  new Promise((resolve) => {
    const link = document.createElement('link')
    link.addEventListener('load', resolve)
    link.addEventListener('error', resolve)
    link.rel = 'stylesheet'
    link.href = stylesheet
    document.head.append(link)
  })

void queryClient.prefetchQuery(referenceQuery)
void Promise.all([loadTranslation(language), loadStylesheet()]).then(([translation]) =>
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider initial={{ language, translation }}>
        <QueryClientProvider client={queryClient}>
          <ReferencePage />
        </QueryClientProvider>
      </LanguageProvider>
    </StrictMode>,
  ),
)
