// What the cases of clients/faults.json need of the package.

export const toolkit = ({ createClient, createGate, sealStore }) => ({
  createClient,
  createGate,
  createStorage() {
    const texts = new Map()
    const raw = {
      get: (key) => texts.get(key),
      set: (key, text) => void texts.set(key, text),
      delete: (key) => void texts.delete(key),
    }
    return {
      open: () => sealStore(raw, { pepper: 'a pepper of at least 32 characters' }),
      tamper() {
        for (const [key, text] of texts)
          texts.set(key, text.slice(0, -4) + (text.at(-4) === 'A' ? 'B' : 'A') + text.slice(-3))
      },
    }
  },
})
