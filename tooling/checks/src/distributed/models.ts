import { read } from '../repository.ts'

export interface Relation {
  target: string
  columns: readonly string[]
}

/** A model of the Prisma schema, as far as these checks look into it. */
export interface Model {
  name: string
  fields: readonly { name: string; type: string; isCounted: boolean }[]
  /** Primary and unique keys. */
  keys: readonly (readonly string[])[]
  relations: readonly Relation[]
}

const list = (text: string) => text.split(',').map((column) => column.trim().replace(/\(.*/, ''))

function modelOf(name: string, body: string): Model {
  const lines = body.split('\n').map((line) => line.replace(/\/\/.*$/, '').trim())
  const fields = lines.flatMap((line) => {
    const [, field, type] = /^(\w+)\s+(\w+)/.exec(line) ?? []
    return field && type
      ? [{ name: field, type, isCounted: /autoincrement|sequence\(/.test(line), line }]
      : []
  })
  const single = fields.filter(({ line }) => /@(id|unique)\b/.test(line)).map((field) => [field.name])
  const compound = lines.flatMap((line) => {
    const columns = /^@@(?:id|unique)\(\[([^\]]+)\]/.exec(line)?.[1]
    return columns ? [list(columns)] : []
  })
  const relations = fields.flatMap(({ type, line }) => {
    const columns = /@relation\(fields: \[([^\]]+)\]/.exec(line)?.[1]
    return columns ? [{ target: type, columns: list(columns) }] : []
  })
  return { name, fields, keys: [...single, ...compound], relations }
}

/** The models of a Prisma schema. */
export const modelsOf = (schema: string): Model[] =>
  [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name = '', body = '']) =>
    modelOf(name, body),
  )

export const models = modelsOf(read('apps/api/prisma/schema.prisma'))
