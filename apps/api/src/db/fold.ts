/** A text without the difference between capital and small or accented letters, as `fold` in SQL. */
export const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
