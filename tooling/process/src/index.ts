export { clone, git, install, pnpmIn, snapshot } from './clone.ts'
export { plainEnvironment } from './environment.ts'
export { installInCache, pack, pnpm } from './pnpm.ts'
export { type Command, type CommandOptions, run, runSync, serve, start } from './run.ts'
