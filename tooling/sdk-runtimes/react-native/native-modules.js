// The packages that the example uses. `crypto.subtle` needs native code: without it the gate keeps its results in memory.
const texts = new Map()

export default {
  getItem: async (key) => texts.get(key) ?? null,
  setItem: async (key, text) => void texts.set(key, text),
  removeItem: async (key) => void texts.delete(key),
  getAllKeys: async () => [...texts.keys()],
}

export const install = () => {}
