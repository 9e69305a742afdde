import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The databases that clients are generated for. */
export const providers = ['sqlite', 'postgresql'] as const
export type Provider = (typeof providers)[number]

export const schemaPath = new URL('../prisma/schema.prisma', import.meta.url)

/** The one schema, rendered for a database: its provider, the folder of its client, and for PostgreSQL the native types. */
export function schemaFor(provider: Provider): string {
  const source = readFileSync(schemaPath, 'utf8')
  if (provider === 'sqlite') return source
  return source.replaceAll('sqlite', provider).replaceAll('// pg: @', '@')
}

/** Where the migrations of a database are. */
export const migrationsFolder = (provider: Provider): string =>
  fileURLToPath(
    new URL(`../prisma/${provider === 'sqlite' ? 'migrations' : `migrations-${provider}`}`, import.meta.url),
  )
