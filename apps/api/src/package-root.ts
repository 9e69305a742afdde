/** The folder of package.json: one above the sources, and one above the build. */
export const packageRoot = new URL('..', import.meta.url)
