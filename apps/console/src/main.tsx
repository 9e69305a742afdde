import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { createApi } from './api/client.ts'
import { ApiProvider } from './api/context.ts'
import { isRetryable } from './api/errors.ts'
import { expireSession, sessionQuery } from './api/session.ts'
import { App } from './app/app.tsx'
import { preferences } from './app/local-storage.ts'
import { preloadPage } from './app/routes.ts'
import './design/base.css'
import { LanguageProvider } from './i18n/language.tsx'
import { isTag, loadMessages, preferredLanguage } from './i18n/languages.ts'

const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry: (failures, error) => failures < 2 && isRetryable(error) },
    // Without a network a change fails at once: one that waits would be made when nobody expects it any more.
    mutations: { retry: false, networkMode: 'always' },
  },
})
const base = new URL(document.baseURI)
const api = createApi({ base: new URL('api', base).href, onSignedOut: () => expireSession(queries) })
const home = base.pathname.replace(/\/$/, '')
const language = preferredLanguage(preferences.get('language'), navigator.languages)

// uPlot writes numbers in the language that the browser names, and cannot be loaded where that is none.
if (!isTag(navigator.language)) Object.defineProperty(navigator, 'language', { value: language })

const root = document.getElementById('console')
if (!root) throw new Error('the page has no place for the console')

// Asked for at once, not one after the other.
void queries.prefetchQuery(sessionQuery(api))
preloadPage(location.pathname.slice(home.length) || '/')
// No `await`: the texts import what is in the same file as this, which would wait for itself.
void loadMessages(language).then((messages) =>
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider initial={{ language, messages }}>
        <ApiProvider value={api}>
          <QueryClientProvider client={queries}>
            <Router base={home}>
              <App />
            </Router>
          </QueryClientProvider>
        </ApiProvider>
      </LanguageProvider>
    </StrictMode>,
  ),
)
