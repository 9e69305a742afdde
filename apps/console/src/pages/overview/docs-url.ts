/** Where the API reference explains an error. */
export const docsUrl = (code: string) => new URL(`../docs/errors#${code}`, document.baseURI).href
