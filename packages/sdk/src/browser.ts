// Bundlers for the browser get this instead of the package. It exports none of the package's names, so that the build fails; where a
// bundler only warns, the page throws. The one export makes it a module: otherwise bundlers would not check the imports.
export const runsOnServersOnly = true

throw new Error('@saleproof/sdk holds a secret key: it runs on servers, not in a browser.')
