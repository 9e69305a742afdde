import { defineConfig } from 'prisma/config'

// Nothing that contributors run may need a binary: `generate`, `format` and `validate` do without, and a path that exists keeps
// the command from looking for one to download.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({ schema: 'prisma/schema.prisma' })
