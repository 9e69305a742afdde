import type { ConsoleImport, ConsoleImportProblem } from '@saleproof/schema/console'
import { ImportError, type ImportProblem } from '../domain/imports.ts'
import { retryAfterSeconds } from '../http/error-response.ts'
import { readImport } from '../http/import-body.ts'
import { ConsoleError } from './console-error.ts'
import type { Call, ConsoleOptions, Handlers } from './handler.ts'
import { consoleActor } from './names.ts'
import { requireType } from './request.ts'

/** As many problems as a person reads. */
const maxErrors = 100

const noCount = { created: 0, updated: 0, unchanged: 0 } as const
const nothing = { items: noCount, purchases: noCount } as const

const toProblem = ({ line, field, message }: ImportProblem): ConsoleImportProblem => ({
  record: line - 1,
  field,
  message,
})

/** Imports items and purchases of one workspace, by the rules of every import. */
export function createImportHandler({ importRecords }: ConsoleOptions) {
  /** The accounts that an import is running for. */
  const running = new Set<string>()

  async function run({ ctx, owner, workspace, request }: Call<'importRecords'>): Promise<ConsoleImport> {
    const { only_new: onlyNew = false, dry_run: dryRun = false, locale } = request
    try {
      const { counts, warnings } = await importRecords({
        ...readImport(ctx),
        actor: consoleActor(owner.account.id),
        own: { workspace: workspace.slug, onlyNew },
        // Only the forms of the console ask for one new record.
        manual: onlyNew,
        dryRun,
        maxErrors,
        locale,
      })
      return {
        stored: !dryRun,
        problems: [],
        more: false,
        warnings: warnings.map(toProblem),
        counts: { items: counts.item, purchases: counts.purchase },
      }
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      const problems = error.problems.map(toProblem)
      return { stored: false, problems, more: error.more, warnings: [], counts: nothing }
    }
  }

  return {
    async importRecords(call: Call<'importRecords'>) {
      const { id } = call.owner.account
      requireType(call.ctx, 'application/x-ndjson')
      if (running.has(id)) throw new ConsoleError('too_many_imports', { retryAfter: retryAfterSeconds })
      running.add(id)
      try {
        return await run(call)
      } finally {
        running.delete(id)
      }
    },
  } satisfies Partial<Handlers>
}
