import { customAlphabet } from 'nanoid'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A random id of 95 bits. Base62, so that no id starts with a dash, which a command line would take for a flag. */
export const newId = customAlphabet(base62, 16)
