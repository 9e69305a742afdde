import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clone, git, runSync, snapshot } from '@saleproof/process'
import { files, root } from './repository.ts'

// `pnpm examples:update`: applies the patch of each worked example to the working copy as it is now, and writes it again. What conflicts
// is left in a clone; resolve it there, and run the command again.

for (const patch of files.filter((file) => /^tooling\/checks\/examples\/.+\.patch$/.test(file))) {
  const folder = join(root, 'tooling/checks/.cache', patch)
  if (existsSync(folder)) git(['add', '--all'], folder)
  else {
    clone(root, { ref: snapshot(root), folder })
    try {
      git(['apply', '--3way', join(root, patch)], folder)
    } catch (error) {
      console.error(`${patch}: resolve the conflicts in ${folder}, and run this again\n${error}`)
      process.exitCode = 1
      continue
    }
  }
  writeFileSync(
    join(root, patch),
    runSync(['git', 'diff', '--cached', '--full-index', 'HEAD'], { cwd: folder }),
  )
  rmSync(folder, { recursive: true })
}
