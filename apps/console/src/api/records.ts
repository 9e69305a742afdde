import type { ConsoleImport, ConsoleRequests } from '@saleproof/schema/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../app/workspace.ts'
import { useLanguage } from '../i18n/language.tsx'
import { serviceLanguage } from '../i18n/languages.ts'
import { useApi } from './context.ts'

/** An item or a purchase in the import format. */
export type ImportedRecord = ConsoleRequests['importRecords']['records'][number]

interface ImportInput extends Omit<ConsoleRequests['importRecords'], 'locale'> {
  signal?: AbortSignal
}

/** Imports items and purchases, all or none. Every page shows them once they are stored. */
export function useImportRecords() {
  const api = useApi()
  const client = useQueryClient()
  const { slug } = useWorkspace()
  const { language } = useLanguage()
  return useMutation({
    mutationFn: ({ signal, ...input }: ImportInput): Promise<ConsoleImport> =>
      api('importRecords', {
        params: { slug },
        input: { ...input, locale: serviceLanguage(language) },
        ...(signal && { signal }),
      }),
    onSuccess: ({ stored }) =>
      stored ? client.invalidateQueries({ queryKey: ['workspace', slug] }) : undefined,
    gcTime: 0,
  })
}

/** What is wrong with a field of the only record of an import; undefined if it is valid. */
export function problemOf(result: ConsoleImport | undefined, field: string): string | undefined {
  const message = result?.problems.find((problem) => problem.field === field)?.message
  return message && `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
}
