import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const dist = join(import.meta.dirname, '../dist')

// What is published, not the sources: the runtime prints the line that threw.
const run = (program: string) =>
  new Promise<{ failed: boolean; err: string }>((resolve) => {
    execFile(process.execPath, ['--input-type=commonjs', '--eval', program], (error, _out, err) =>
      resolve({ failed: error !== null, err }),
    )
  })

const options = (wrong: object) =>
  JSON.stringify({ baseUrl: 'https://market.example.com', apiKey: 'sp_secret_9f8e7d6c5b4a', ...wrong })

it.each([
  ['import', (code: string) => `import(${JSON.stringify(join(dist, 'index.js'))}).then(${code})`],
  ['require', (code: string) => `(${code})(require(${JSON.stringify(join(dist, 'index.js'))}))`],
])('prints less than 2 kB for an uncaught configuration error: %s', async (_format, load) => {
  for (const wrong of [
    { baseUrl: 'http://api.corp.example' },
    { timeoutMs: 'soon' },
    { apiKey: 'sp_se cret' },
  ]) {
    const { failed, err } = await run(load(`({ createClient }) => createClient(${options(wrong)})`))
    expect(failed).toBe(true)
    expect(err).toContain('SaleproofError')
    expect(err).toContain(Object.keys(wrong)[0])
    expect(err.length).toBeLessThan(2_000)
    for (const secret of ['sp_se cret', 'sp_secret', 'corp']) expect(err).not.toContain(secret)
  }
})
