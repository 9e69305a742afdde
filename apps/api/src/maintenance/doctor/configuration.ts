import { type Config, ConfigError, type Environment, loadConfig, unreadVariables } from '../../config.ts'
import type { Report } from './report.ts'

function checkAddresses({ host, trustProxy, publicUrl }: Config, { warning }: Report) {
  if (publicUrl === undefined && host !== '127.0.0.1' && host !== 'localhost' && host !== '::1')
    warning('PUBLIC_URL is not set', 'set it to the address that callers use')
  if (Array.isArray(trustProxy) && trustProxy.length === 0 && publicUrl?.startsWith('https:'))
    warning(
      'PUBLIC_URL is https and TRUST_PROXY is false',
      'set TRUST_PROXY to the proxies in front, or all callers share the limits of one address',
    )
}

/** The configuration, if every variable is valid. */
export function checkConfiguration(env: Environment, cores: number, report: Report): Config | undefined {
  let config: Config | undefined
  try {
    config = loadConfig(env, { cores })
    checkAddresses(config, report)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const line of error.problems) report.problem(line, 'set the variable to that, or unset it')
  }
  for (const name of unreadVariables(env))
    report.warning(`${name} is set, and nothing reads it`, 'check its name')
  return config
}
