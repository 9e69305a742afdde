import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from './serve-fuzzer.ts'
import { type Settings, writeSettings } from './settings.ts'

export interface RunOptions extends Omit<Settings, 'current'> {
  /** A program that calls `serveFuzzer`. */
  program: string
  cwd: string
  /** After this time with one input the process counts as hanging. */
  hangMs?: number
}

const instrumentation = new URL('./instrument.ts', import.meta.url).href
const emptyReport: Report = { runs: 0, seconds: 0, kept: 0, counters: 0, reached: 0, findings: [] }

/** Fuzzes in another process: an input that kills or hangs it is a finding as well. */
export async function runTarget({ program, cwd, hangMs = 30_000, ...settings }: RunOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-fuzz-'))
  const current = join(folder, 'current')
  const flags = ['--conditions=@saleproof/source', '--disable-warning=ExperimentalWarning']
  const child = spawn(process.execPath, [...flags, `--import=${instrumentation}`, program], {
    cwd,
    env: { ...process.env, ...writeSettings({ ...settings, current }) },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  let report: Report | undefined
  let hangs = false
  let errors = ''
  child.on('message', (message: Report) => {
    report = message
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4000)
  })
  const watch = setInterval(() => {
    hangs = existsSync(current) && Date.now() - statSync(current).mtimeMs > hangMs
    if (hangs) child.kill('SIGKILL')
  }, 1000)
  const ended = await new Promise<string>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? `exit ${code}`)),
  )
  clearInterval(watch)
  const input = (existsSync(current) && readFileSync(current, 'utf8')) || '""'
  rmSync(folder, { recursive: true, force: true })
  const { findings, ...stats } = report ?? emptyReport
  if (report && ended === 'exit 0') return report
  const message = hangs ? `hangs for more than ${hangMs} ms` : `the process ended (${ended}): ${errors}`
  return { ...stats, findings: [...findings, { input, message }] }
}
