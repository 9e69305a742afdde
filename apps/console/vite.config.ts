import react from '@vitejs/plugin-react'
import license from 'rollup-plugin-license'
import { defineConfig } from 'vite'
import { bootScript } from './build/boot-script.ts'
import { publish } from './build/publish.ts'

/** Where the API of a service runs that the pages are developed against. */
const api = 'http://127.0.0.1:3000'

/** What every page needs in one file; dialogs, with what stands behind them, in another one that most pages can do without. */
const groups = [
  { name: 'dialogs', test: /base-ui|floating-ui|src\/ui\/(?:dialog|confirm-dialog)\./, priority: 2 },
  {
    name: 'main',
    test: /node_modules\/(?:react|react-dom|scheduler|wouter|lucide-react|@tanstack)\/|src\/(?:main|messages\/plural|(?:api|app|i18n|layout)\/|ui\/(?!dialog|confirm))/,
    priority: 3,
  },
]

export default defineConfig(({ command }) => ({
  // Every address in the build is relative: the service may be reached below any path prefix.
  base: command === 'build' ? './' : '/console/',
  plugins: [
    react(),
    bootScript(),
    publish(),
    license({ thirdParty: { output: 'dist/third-party-licences.txt' } }),
  ],
  resolve: { conditions: ['@saleproof/source', 'module', 'browser', 'development|production'] },
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: {
    target: 'baseline-widely-available',
    // The policy of the pages allows no `data:` address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    // One for all pages: what each brings by itself is less than what a further request costs.
    cssCodeSplit: false,
    rolldownOptions: { checks: { pluginTimings: false }, output: { codeSplitting: { groups } } },
  },
  // The service takes what comes from its own pages alone, and these come from another port.
  server: { proxy: { '^/console/(api|preview)': { target: api, headers: { origin: api } }, '/docs': api } },
}))
