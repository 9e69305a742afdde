import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../../..')

/** The folder of each package that is published. */
export const published = {
  '@saleproof/schema': 'packages/schema',
  '@saleproof/sdk': 'packages/sdk',
  '@saleproof/api': 'apps/api',
} as const

export type Published = keyof typeof published

// A constant has no keys but those of its type.
export const publishedNames = Object.keys(published) as Published[]

export const read = (file: string) => readFileSync(join(root, file), 'utf8')
