import { defineConfig } from 'vitest/config';
export default defineConfig({
    test: {
        include: ['src/**/*.test.ts'],
        testTimeout: 120000,
        reporters: process.env.CI ? ['default', ['json', { outputFile: '.test/results.json' }]] : ['default'],
    },
});
