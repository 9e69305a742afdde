/** A fault that is put into the code, to see that it is found. */
export interface Plant {
  /** The end of the file's path. */
  file: string
  find: string
  replace: string
}

/** What the process that fuzzes is told by the one that started it. */
export interface Settings {
  seed: number
  seconds: number
  corpus: string
  /** Where the input stands that is tried just now. */
  current: string
  /** Parts of the addresses of modules whose code is counted. */
  instrument: readonly string[]
  plants: readonly Plant[]
  /** How many findings are enough. */
  mostFindings: number
  /** Whether the corpus is written anew with what was found. */
  save: boolean
}

const name = 'FUZZ_SETTINGS'

export const settingsIn = (settings: Settings) => ({ [name]: JSON.stringify(settings) })

export const settingsOf = (env: Readonly<Record<string, string | undefined>>): Settings =>
  JSON.parse(env[name] ?? '')
