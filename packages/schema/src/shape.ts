import * as v from 'valibot'

/** The two forms in which items and purchases are sent, in the order in which documents list them. */
export const shapes = ['base', 'extended'] as const

/** The form of items and purchases in an answer: `base` or `extended`. */
export type Shape = (typeof shapes)[number]

/**
 * The parameter `shape`, which every operation takes.
 *
 * @example
 * v.parse(ShapeSchema, 'extended') // 'extended'
 */
export const ShapeSchema = v.picklist(shapes, 'shape')
