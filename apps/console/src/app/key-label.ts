import type { ConsoleKey } from '@saleproof/schema/console'

/** The name of a key and its last four characters: two keys may have one name. */
export const keyLabel = ({ name, last_four: lastFour }: Pick<ConsoleKey, 'name' | 'last_four'>): string =>
  lastFour === null ? name : `${name} (…${lastFour})`
