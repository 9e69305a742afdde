import type { Messages } from '../messages/en/index.ts'

/** A license that has a name in each language; an import may use others. */
export type KnownLicense = keyof Messages['purchases']['licenses']

export const isKnownLicense = (license: string, { purchases }: Messages): license is KnownLicense =>
  Object.hasOwn(purchases.licenses, license)

/** The name of a license in the language of the console. */
export const licenseName = (license: string, t: Messages): string =>
  isKnownLicense(license, t) ? t.purchases.licenses[license] : license
