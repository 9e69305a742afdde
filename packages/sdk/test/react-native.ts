// The packages of React Native, as far as the example uses them: `vitest.config.ts` puts it in their place.

const kept = new Map<string, string>()

export default {
  getItem: async (key: string) => kept.get(key) ?? null,
  setItem: async (key: string, text: string) => void kept.set(key, text),
  removeItem: async (key: string) => void kept.delete(key),
  getAllKeys: async () => [...kept.keys()],
}

export const install = () => {}
