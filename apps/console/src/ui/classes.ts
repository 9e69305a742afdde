/** Joins the names of those that hold. */
export const classes = (...names: readonly (string | false | undefined)[]) => names.filter(Boolean).join(' ')
