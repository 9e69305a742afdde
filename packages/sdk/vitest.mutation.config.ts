import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

// The tests that the mutated files are held to: their own.
export default defineConfig({ ...config, test: { include: ['src/{retry-timing,outcome}.test.ts'] } })
