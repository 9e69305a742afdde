/**
 * The URL of a path of the service, such as `docs/errors`, below whatever prefix a proxy adds. The base of the page is the console, so that its
 * files are found; a link to a part of the page has to name the page as well.
 */
export const serviceUrl = (path: string): string => new URL(`../${path}`, document.baseURI).href
