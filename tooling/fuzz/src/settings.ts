/** A bug that is injected into the code, to test that it is found. */
export interface InjectedBug {
  /** The end of the file's path. */
  file: string
  find: string
  replace: string
}

/** Given to the process that fuzzes by the one that starts it. */
export interface Settings {
  seed: number
  seconds: number
  corpus: string
  /** The file that holds the input under test. */
  current: string
  /** Parts of the URLs of instrumented modules. */
  instrument: readonly string[]
  bugs: readonly InjectedBug[]
  /** Stops after so many findings. */
  maxFindings: number
  /** Whether the corpus is replaced by a minimized one. */
  save: boolean
}

const variable = 'FUZZ_SETTINGS'

export const writeSettings = (settings: Settings) => ({ [variable]: JSON.stringify(settings) })

export const readSettings = (env: Readonly<Record<string, string | undefined>>): Settings =>
  JSON.parse(env[variable] ?? '')
