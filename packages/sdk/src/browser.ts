// What bundlers for the browser get instead of the package. It exports none of its names, so that the build fails; where a bundler
// only warns, the page does. The one name that it has makes it a module: of anything else bundlers take every import for granted.
export const runsOnServersOnly = true

throw new Error('@saleproof/sdk holds a secret key: it runs on servers, not in a browser.')
