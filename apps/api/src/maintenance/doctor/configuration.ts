import { type Config, ConfigError, type Environment, loadConfig } from '../../config.ts'
import type { Report } from './report.ts'

/** The environment, and the names of the variables that were read. */
function recordReads(env: Environment) {
  const names = new Set<string>()
  const get = (_: unknown, name: string) => {
    names.add(name)
    return env[name]
  }
  return { names, env: new Proxy<Record<string, string | undefined>>({}, { get }) }
}

/** The names of all variables. */
export function variableNames(): string[] {
  const { names, env } = recordReads({})
  loadConfig(env, { cores: 1 })
  return [...names]
}

function checkAddresses({ host, trustProxy, publicUrl }: Config, { warning }: Report) {
  if (publicUrl === undefined && host !== '127.0.0.1' && host !== 'localhost' && host !== '::1')
    warning('PUBLIC_URL is not set', 'set it to the address that callers use')
  if (Array.isArray(trustProxy) && trustProxy.length === 0 && publicUrl?.startsWith('https:'))
    warning(
      'PUBLIC_URL is https and TRUST_PROXY is false',
      'set TRUST_PROXY to the proxies in front, or all callers share the limits of one address',
    )
}

/** The configuration, if every variable is valid. One with our prefix that is not read is most likely a typo. */
export function checkConfiguration(env: Environment, cores: number, report: Report): Config | undefined {
  const { names, env: read } = recordReads(env)
  let config: Config | undefined
  try {
    config = loadConfig(read, { cores })
    checkAddresses(config, report)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const line of error.problems) report.problem(line, 'set the variable to that, or unset it')
  }
  for (const name of Object.keys(env))
    if (name.startsWith('SALEPROOF_') && !names.has(name))
      report.warning(`${name} is set, and nothing reads it`, 'check its name')
  return config
}
