import { existsSync, mkdirSync } from 'node:fs'
import { run } from './command.ts'
import { ask, differences, environment, lostRecords, makeData, type UpgradeOptions } from './upgraded-data.ts'

/** Upgrades a file from one build to another, and goes back; gives what callers or operators would notice of it. */
export async function upgradeProblems({ before, after, example, folder }: UpgradeOptions): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const options = { cwd: folder, env: environment }
  const { questions, exported } = await makeData(before, example, options)
  const expected = (await ask(before, questions, options)).answers

  const { answers, output } = await ask(after, questions, options)
  const problems = [
    ...differences(expected, answers, 'after the upgrade'),
    ...lostRecords(exported, (await run([...after, 'export'], options)).stdout),
  ]
  const doctor = await run([...after, 'doctor'], options)
  if (doctor.code !== 0) problems.push(`doctor: ${doctor.stdout}`)

  const copy = /as it was it is in (.+)$/m.exec(output)?.[1]
  if (copy === undefined) return problems
  if (!existsSync(copy)) return [...problems, `there is no copy ${copy}`]
  const restored = await run([...before, 'restore', '--plain', '--force', copy], options)
  if (restored.code !== 0) return [...problems, `the copy was not restored: ${restored.stderr}`]
  return [
    ...problems,
    ...differences(expected, (await ask(before, questions, options)).answers, 'after going back'),
  ]
}
