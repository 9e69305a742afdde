import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { run, serve } from './command.ts'
import { answersOf } from './questions.ts'
import {
  ask,
  command,
  differences,
  environment,
  lostRecords,
  makeData,
  type UpgradeOptions,
} from './upgraded-data.ts'

interface PostgresUpgradeOptions extends UpgradeOptions {
  /** An empty database. */
  databaseUrl: string
}

/**
 * Upgrades a database on a server as the documentation says: migrated while instances of the build before serve, which go on and may be
 * restarted; that is the way back, too. Gives what callers or operators would notice of it.
 */
export async function upgradeProblemsOnPostgres(upgrade: PostgresUpgradeOptions): Promise<string[]> {
  const { before, after, example, folder, databaseUrl } = upgrade
  mkdirSync(folder, { recursive: true })
  const own = { DATABASE_URL: databaseUrl, SALEPROOF_SECRET: randomBytes(32).toString('base64') }
  const options = { cwd: folder, env: { ...environment, ...own } }
  await command(before, ['migrate'], options)
  const { questions, exported } = await makeData(before, example, options)
  const expected = (await ask(before, questions, options)).answers

  const running = await serve([...before, 'serve'], options)
  const problems: string[] = []
  try {
    await command(after, ['migrate'], options)
    const answers = await answersOf(running.url, questions)
    problems.push(...differences(expected, answers, 'of an instance of before, after the migration'))
  } finally {
    await running.stop()
  }
  problems.push(
    ...differences(expected, (await ask(after, questions, options)).answers, 'after the upgrade'),
    ...lostRecords(exported, (await run([...after, 'export'], options)).stdout),
  )
  const doctor = await run([...after, 'doctor'], options)
  if (doctor.code !== 0) problems.push(`doctor: ${doctor.stdout}`)
  const back = await ask(before, questions, options).catch((error: Error) => error)
  return back instanceof Error
    ? [...problems, `the build of before does not start again: ${back.message}`]
    : [...problems, ...differences(expected, back.answers, 'after going back')]
}
