import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { JsonReporter, type SerializedError, type TestModule } from 'vitest/node'

/** Vitest's JSON, with the errors that belong to no test: a run fails by them, and the JSON alone leaves them out. */
export class ResultsReporter extends JsonReporter {
  override async onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[] = []) {
    await super.onTestRunEnd(modules)
    const { root, outputFile } = this.ctx.config
    if (typeof outputFile !== 'object' || !outputFile.json) return
    const file = resolve(root, outputFile.json)
    const unhandledErrors = errors.map(({ stack, message }) => stack ?? message)
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), unhandledErrors }))
  }
}
