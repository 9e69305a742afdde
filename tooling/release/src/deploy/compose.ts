import { parse } from 'yaml'
import { read } from '../repository.ts'

export interface ComposeService {
  image: string
  command?: string[]
  environment?: Record<string, string>
  [member: string]: unknown
}

export interface Compose {
  services: Record<string, ComposeService>
  networks: Record<string, unknown>
  volumes: Record<string, unknown>
}

export const composeText = read('apps/api/deploy/compose.yaml')

/** Variables as Compose puts them in: `${NAME}`, `${NAME:-otherwise}`, `${NAME:?what it takes}`. */
const interpolate = (text: string, variables: Readonly<Record<string, string>>) =>
  text.replace(/\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g, (_, name: string, operator?: string, rest = '') => {
    const value = variables[name]
    if (value) return value
    if (operator === '?') throw new Error(`${name}: ${rest}`)
    return operator === '-' ? rest : ''
  })

/** The Compose file with the values of an environment file in it. */
export const composeWith = (variables: Readonly<Record<string, string>>): Compose =>
  parse(interpolate(composeText, variables), { merge: true })
