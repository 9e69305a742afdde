/** The most bytes of what users install and load. A change that needs more raises them, and says why. */
export const budgets = {
  /** Bundles, minified and as brotli. */
  bundles: {
    'one check': 3_520,
    'four calls + gate': 6_380,
    'four calls + gate + full check': 7_223,
    explain: 1_971,
  },
  /** The package as npm stores it, and as it is on disk. */
  tarball: 46_351,
  unpacked: 163_810,
}
