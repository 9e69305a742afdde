import { readFileSync } from 'node:fs'

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
