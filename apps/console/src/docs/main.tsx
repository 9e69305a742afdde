import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { preferences } from '../app/local-storage.ts'
import '../design/base.css'
import { LanguageProvider } from '../i18n/language.tsx'
import { loadTranslation, preferredLanguage } from '../i18n/languages.ts'
import { ReferencePage } from './reference-page.tsx'
import { referenceQuery } from './reference-query.ts'

const queryClient = new QueryClient()
const language = preferredLanguage(preferences.get('language'), navigator.languages)

const root = document.getElementById('docs')
if (!root) throw new Error('#docs is missing')

void queryClient.prefetchQuery(referenceQuery)
void loadTranslation(language).then((translation) =>
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
