import { ftruncateSync, openSync, writeSync } from 'node:fs'
import { formatInput, readInputs, writeInputs } from './corpus.ts'
import { createCoverage } from './coverage.ts'
import { type FuzzOptions, fuzz, minimizeCorpus, type Target } from './fuzz.ts'
import { createRandom } from './random.ts'
import { readSettings } from './settings.ts'

/** Sent by the process that fuzzes to the one that started it. */
export interface Report {
  runs: number
  seconds: number
  /** Inputs that reached new code. */
  kept: number
  counters: number
  reached: number
  /** Inputs as lines of the corpus. */
  findings: { input: string; message: string }[]
}

/** Writes what replaces the text of a file; the file stays open, because a search writes thousands of times. */
function textWriter(file: string) {
  const opened = openSync(file, 'w')
  return (text: string) => ftruncateSync(opened, writeSync(opened, text, 0))
}

/** Fuzzes a target in this process. */
export async function serveFuzzer(createTarget: (seed: number) => Promise<Target>) {
  const { seed, seconds, corpus: file, current, save, maxFindings } = readSettings(process.env)
  const target = await createTarget(seed)
  const began = performance.now()
  const writeCurrent = textWriter(current)
  const options: FuzzOptions = {
    target,
    corpus: readInputs(file),
    maxFindings,
    coverage: createCoverage(),
    random: createRandom(seed),
    isDone: () => performance.now() - began > seconds * 1000,
    // When the process dies or hangs, the parent reads the input here.
    onInput: (input) => writeCurrent(formatInput(input)),
  }
  const { findings, kept, ...stats } = await fuzz(options)
  if (save) writeInputs(file, await minimizeCorpus(kept, options))
  const report: Report = {
    ...stats,
    seconds: (performance.now() - began) / 1000,
    kept: kept.length,
    findings: findings.map(({ input, message }) => ({ input: formatInput(input), message })),
  }
  await target.close()
  process.send?.(report, () => process.exit(0))
}
