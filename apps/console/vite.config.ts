import react from '@vitejs/plugin-react'
import license from 'rollup-plugin-license'
import { defineConfig } from 'vite'
import { bootScript } from './build/boot-script.ts'
import { publish } from './build/publish.ts'

/** Where the API of a service runs that the pages are developed against. */
const api = 'http://127.0.0.1:3000'

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
    chunkSizeWarningLimit: 300,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  // The service takes what comes from its own pages alone, and these come from another port.
  server: { proxy: { '^/console/(api|preview)': { target: api, headers: { origin: api } }, '/docs': api } },
}))
