import { packages } from './repository.ts'

// The matrix of CI: the names of the packages with tests of `pnpm test:all`, without their scope.
const tested = packages.filter(({ manifest }) => manifest.scripts?.['test:all'])
console.log(JSON.stringify(tested.map(({ manifest }) => manifest.name.split('/')[1])))
