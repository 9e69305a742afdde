import react from '@vitejs/plugin-react'
import license, { type Dependency } from 'rollup-plugin-license'
import { defineConfig } from 'vite'
import { endpoints } from './build/endpoints.ts'
import { publish } from './build/publish.ts'
import { startScript } from './build/start-script.ts'

/** The service behind the dev server. */
const api = 'http://127.0.0.1:3000'

/** One chunk with what every page needs, and some with what most pages load without. */
const groups = [
  {
    name: 'reference',
    test: /schema\/src\/(?:errors|operations|messages\/(?:error-)?explanations)\./,
    priority: 4,
  },
  { name: 'start', test: /src\/start\./, priority: 4 },
  {
    name: 'languages',
    test: /src\/(?:api\/(?:client|errors)|app\/(?:pages|page-modules|local-storage)|i18n\/languages)\.|preload-helper|schema\/console/,
    priority: 5,
  },
  { name: 'json', test: /src\/ui\/json-/, priority: 2 },
  {
    name: 'records',
    test: /src\/ui\/(?:co(?:py|de)-|filter-panel|receipt|description-list|header-list|time\.)/,
    priority: 2,
  },
  { name: 'forms', test: /src\/ui\/(?:field|form)\./, priority: 2 },
  { name: 'dialogs', test: /src\/ui\/dialog\./, priority: 2 },
  {
    name: 'purchase',
    test: /src\/(?:messages\/\w+\/purchase|pages\/purchases\/(?:texts|state-badge))\./,
    priority: 2,
  },
  {
    name: 'main',
    test: /node_modules\/(?:react|react-dom|scheduler|wouter|lucide-react(?!.+\/(?:arrow-left|audio-lines|check|clapperboard|copy|external-link|eye|eye-off|image|trash-2)\.)|@tanstack)\/|src\/(?:design\/|messages\/plural|(?:api|app|i18n|layout)\/|ui\/[\w-]+\.module\.css|ui\/(?!dialog|json-|field|form\.|co(?:py|de)-|filter-panel|receipt|description-list|header-list|time\.))/,
    priority: 3,
  },
]

/** Without the packages of this repository: a release changes their versions after the build. */
const thirdPartyLicenses = (dependencies: readonly Dependency[]) =>
  dependencies
    .filter(({ name }) => !name?.startsWith('@saleproof/'))
    .map((dependency) => dependency.text())
    .join('\n\n---\n\n')

export default defineConfig(({ command }) => ({
  // The build uses relative URLs, because the service may run below any path prefix.
  base: command === 'build' ? './' : '/console/',
  plugins: [
    react(),
    startScript(),
    endpoints(),
    publish(),
    license({
      thirdParty: { output: { file: 'dist/third-party-licenses.txt', template: thirdPartyLicenses } },
    }),
  ],
  resolve: { conditions: ['@saleproof/source', 'module', 'browser', 'development|production'] },
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: {
    target: 'baseline-widely-available',
    // The content security policy blocks `data:` URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      input: ['index.html', 'docs.html'],
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups } },
    },
  },
  // The service accepts requests from its own origin only, so the proxy sets it.
  server: {
    proxy: {
      '^/console/(api|preview)': { target: api, headers: { origin: api } },
      '^/(docs|openapi.json|api/|admin/)': api,
    },
  },
}))
