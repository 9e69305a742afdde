import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { providers, schemaFor } from './prisma-schema.ts'

// Makes the Prisma clients without Prisma's command, which would want an engine binary. The ES module builds of these two packages
// have imports that do not resolve.
const require = createRequire(import.meta.url)
const { getGenerators, loadSchemaContext } = require('@prisma/internals')
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts')

const rendered = new URL('../prisma/.rendered/', import.meta.url)
mkdirSync(rendered, { recursive: true })
for (const provider of providers) {
  const file = fileURLToPath(new URL(`${provider}.prisma`, rendered))
  writeFileSync(file, schemaFor(provider).replace('"../src/', '"../../src/'))
  const schemaContext = await loadSchemaContext({
    schemaPath: { cliProvidedPath: file },
    printLoadMessage: false,
  })
  const generators = await getGenerators({
    schemaContext,
    registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
    cliCommand: 'generate',
    skipDownload: true,
  })
  for (const generator of generators) {
    await generator.generate()
    generator.stop()
  }
}
rmSync(rendered, { recursive: true })
