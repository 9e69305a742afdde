import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { files, packages, root } from './repository.ts'

// Reads what the test runners wrote down. Prints what failed or passed only when it was run again, test files that no runner
// picked up, and last the numbers of passed and failed tests. Fails where a test file was not run.

/** What is read here of Vitest's JSON. */
interface Results {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    /** Why the file itself failed. */
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const results = packages
  .flatMap(({ folder }) => globSync(join(root, folder, '.test/results*.json')))
  .map((file): Results => JSON.parse(readFileSync(file, 'utf8')))
const testFiles = results.flatMap(({ testResults }) => testResults)

const print = (state: string, name: string, messages: readonly string[]) =>
  console.log(`${state} ${name}\n    ${messages.join('\n').split('\n').slice(0, 4).join('\n    ')}`)

/** Files that failed without a test of theirs, such as one that does not load. */
let brokenFiles = 0
for (const { name, status, message, assertionResults } of testFiles) {
  const file = relative(root, name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  for (const { fullName, failureMessages } of failed)
    print('FAILED', `${file} > ${fullName}`, failureMessages)
  for (const { fullName, failureMessages, status: state } of assertionResults)
    if (state === 'passed' && failureMessages.length > 0)
      print('PASSED WHEN REPEATED', `${file} > ${fullName}`, failureMessages)
  if (status !== 'failed' || failed.length > 0) continue
  brokenFiles++
  print('FAILED', file, [message])
}

const run = new Set(testFiles.map(({ name }) => relative(root, name)))
const notRun = files.filter((file) => /\.test\.tsx?$/.test(file) && !run.has(file))
for (const file of notRun) console.log(`NOT RUN ${file}`)

const sum = (count: 'numPassedTests' | 'numFailedTests') =>
  results.reduce((total, result) => total + result[count], 0)
console.log(sum('numPassedTests'), sum('numFailedTests') + brokenFiles)
process.exitCode = notRun.length > 0 ? 1 : 0
