/** Checks the package as it would be published: packs it, then asks publint and Are The Types Wrong. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { pack } from '@saleproof/pnpm'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const root = fileURLToPath(new URL('..', import.meta.url))

function packed(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-schema-'))
  try {
    return readFileSync(pack(root, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function lint(tarball: Buffer): Promise<string[]> {
  const bytes = new Uint8Array(tarball).buffer
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true })
  return messages.map((message) => formatMessage(message, pkg) ?? message.code)
}

/** Node 10 resolution knows no `exports`, and so cannot find the second entry. */
const tooOld = 'node10'

async function checkTypes(tarball: Buffer): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
  if (!result.types) return ['the package has no types']
  const problems = result.problems.filter(
    (problem) => !('resolutionKind' in problem) || problem.resolutionKind !== tooOld,
  )
  return problems.map((problem) => JSON.stringify(problem))
}

const tarball = packed()
const problems = [...(await lint(tarball)), ...(await checkTypes(tarball))]
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1
else process.stdout.write('the package is fit to publish\n')
