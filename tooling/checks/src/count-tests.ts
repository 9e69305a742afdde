import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

// Adds up what the test runners wrote down. With --complete it fails instead when a test file of the repository is in no result:
// a file that no runner picked up passes by not being run.

interface Results {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string }[]
}

const root = resolve(import.meta.dirname, '../../..')
const packages = globSync('{packages,apps,tooling}/*/package.json', { cwd: root }).map(dirname)
const resultFiles = globSync('{packages,apps,tooling}/*/.test/results.json', { cwd: root })
const results = resultFiles.map((file): Results => JSON.parse(readFileSync(join(root, file), 'utf8')))

const testFiles = packages.flatMap((folder) =>
  globSync(`${folder}/{src,test}/**/*.test.{ts,tsx}`, {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  }),
)
const counted = new Set(
  results.flatMap(({ testResults }) => testResults.map(({ name }) => relative(root, name))),
)
const uncounted = testFiles.filter((file) => !counted.has(file))

if (parseArgs({ options: { complete: { type: 'boolean' } } }).values.complete) {
  for (const file of uncounted) console.error(`not run: ${file}`)
  process.exitCode = uncounted.length ? 1 : 0
} else {
  // A file that failed to load counts as one failure: the runner counts no test in it.
  const broken = results
    .flatMap(({ testResults }) => testResults)
    .filter(({ status }) => status === 'failed').length
  const sum = (of: (result: Results) => number) => results.reduce((total, result) => total + of(result), 0)
  const failed = sum((result) => result.numFailedTests)
  console.log(
    sum((result) => result.numPassedTests),
    failed || broken,
  )
}
