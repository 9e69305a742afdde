/**
 * Makes a function of the source text of an expression, in which the names of `scope` stand for their values. In a compiled function the
 * columns of a record are constants: a loop over its fields takes half as long again. The text holds names from the tables of records,
 * quoted, and nothing that a request or a database gave.
 */
export const compile = <Compiled>(expression: string, scope: Readonly<Record<string, unknown>>): Compiled =>
  new Function(...Object.keys(scope), `return ${expression}`)(...Object.values(scope))
