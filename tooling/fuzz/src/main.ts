import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runTarget } from './run-target.ts'
import type { Report } from './serve-fuzzer.ts'
import { targets } from './targets.ts'

// `pnpm fuzz [--target http] [--seconds 30] [--seed 1] [--save]`

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: Object.keys(targets) },
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    save: { type: 'boolean', default: false },
  },
})
const findingsFolder = resolve(import.meta.dirname, '../findings')

function print(name: string, { runs, seconds, kept, counters, reached }: Report) {
  const rate = Math.round(runs / Math.max(seconds, 0.001))
  const percent = Math.round((100 * reached) / Math.max(counters, 1))
  console.log(
    `${name}: ${runs} inputs in ${Math.round(seconds)} s (${rate}/s), ${kept} kept, ${percent} % of ${counters} counters reached`,
  )
}

/** Writes a finding into a file that can be run again. */
function save(name: string, { input, message }: Report['findings'][number]) {
  mkdirSync(findingsFolder, { recursive: true })
  const hash = createHash('sha256').update(input).digest('hex').slice(0, 8)
  const file = join(findingsFolder, `${name}-${hash}.txt`)
  writeFileSync(file, `${input}\n`)
  console.log(`${name}: ${message}\n  input: ${input.slice(0, 500)}\n  saved in ${file}`)
}

async function fuzz(name: string) {
  const target = targets[name]
  if (!target) throw new Error(`--target takes ${Object.keys(targets).join(', ')}`)
  console.log(`${name}: seed ${values.seed}`)
  const report = await runTarget({
    ...target,
    seed: Number(values.seed),
    seconds: Number(values.seconds),
    save: values.save,
    bugs: [],
    maxFindings: 5,
  })
  print(name, report)
  for (const finding of report.findings) save(name, finding)
  if (report.findings.length) process.exitCode = 1
}

await Promise.all(values.target.map(fuzz))
