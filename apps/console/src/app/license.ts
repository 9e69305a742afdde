import type { Messages } from '../messages/en/index.ts'

/** The licenses that have a name in each language; an import may use others. */
export const knownLicenses = ['Regular', 'Extended'] as const

export const isKnownLicense = (license: string) => knownLicenses.some((known) => known === license)

/** The name of a license in the language of the console. */
export function licenseName(license: string, { purchases: { licenses } }: Messages): string {
  const known = knownLicenses.find((each) => each === license)
  return known ? licenses[known] : license
}
