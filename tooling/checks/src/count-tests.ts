import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

// Adds up what the test runners wrote down. With --complete it fails instead when a test file of the repository is in no result:
// a file that no runner picked up passes by not being run. With --failures it lists what failed, or passed only when
// it was run again, in a line or a few for each.

interface Results {
  numPassedTests: number
  numFailedTests: number
  /** Of no test: the run fails by them. */
  unhandledErrors: string[]
  testResults: {
    name: string
    status: string
    /** Why the file itself failed. */
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

const linesOfMessage = 4

const root = resolve(import.meta.dirname, '../../..')
const packages = globSync('{packages,apps,tooling}/*/package.json', { cwd: root }).map(dirname)
const resultFiles = globSync('{packages,apps,tooling}/*/.test/results*.json', { cwd: root })
const results = resultFiles.map((file) => {
  const written: Results = JSON.parse(readFileSync(join(root, file), 'utf8'))
  return { file, ...written }
})

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

const beginOf = (message: string) => message.split('\n', linesOfMessage).join('\n    ')

/** The names of failed and repeated tests, each with the begin of its message. */
function* failures() {
  for (const { file, unhandledErrors } of results)
    for (const error of unhandledErrors)
      yield `FAILED ${dirname(file)}: an error outside of its tests\n    ${beginOf(error)}`
  for (const { name, status, message = '', assertionResults } of results.flatMap((one) => one.testResults)) {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    const entries = failed.map((test) => [test.fullName, test.failureMessages?.join('\n') ?? ''] as const)
    if (status === 'failed' && failed.length === 0) entries.push(['the file', message])
    const file = relative(root, name)
    for (const [test, text] of entries) yield `FAILED ${file} > ${test}\n    ${beginOf(text)}`
    const repeated = assertionResults.filter(
      (test) => test.status === 'passed' && test.failureMessages?.length,
    )
    for (const { fullName, failureMessages = [] } of repeated)
      yield `PASSED WHEN REPEATED ${file} > ${fullName}\n    ${beginOf(failureMessages.join('\n'))}`
  }
}

const { values } = parseArgs({
  options: { complete: { type: 'boolean' }, failures: { type: 'boolean' } },
})
if (values.complete) {
  for (const file of uncounted) console.error(`not run: ${file}`)
  process.exitCode = uncounted.length ? 1 : 0
} else if (values.failures) {
  for (const failure of failures()) console.log(failure)
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
