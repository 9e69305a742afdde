/** Joins class names; falsy ones are left out. */
export const classes = (...names: readonly (string | false | undefined)[]) => names.filter(Boolean).join(' ')
