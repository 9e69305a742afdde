import { useQueryClient } from '@tanstack/react-query'
import { type SetStateAction, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { keptKey } from '../api/stored-drafts.ts'
import { type paths, pathTo } from './pages.ts'
import { useWorkspace } from './workspace.ts'

/**
 * State that its page finds again when the user comes back. It stays in memory, since a URL or the browser's storage would store
 * purchase codes, and ends with the session like everything of the query client. Without a name it ends with its page. The drafts of
 * forms alone survive a reload.
 */
export function useKept<Value>(name: string | undefined, initial: Value) {
  const client = useQueryClient()
  const [value, setValue] = useState(
    () => (name === undefined ? undefined : client.getQueryData<Value>([keptKey, name])) ?? initial,
  )
  const isEdited = useRef(false)
  useEffect(() => {
    if (name !== undefined && isEdited.current) client.setQueryData<Value>([keptKey, name], value)
  }, [client, name, value])
  /** The next visit begins with the initial state; this one keeps what it shows. */
  const forget = () => {
    isEdited.current = false
    client.removeQueries({ queryKey: [keptKey, name] })
  }
  const set = (next: SetStateAction<Value>) => {
    isEdited.current = true
    setValue(next)
  }
  const discard = () => {
    forget()
    setValue(initial)
  }
  return { value, set, forget, discard }
}

/** Forgets all state that was kept under names that begin so. */
export function useForget(prefix: string) {
  const client = useQueryClient()
  return () =>
    client.removeQueries({
      predicate: ({ queryKey: [first, name] }) => first === keptKey && String(name).startsWith(prefix),
    })
}

/** Opens a page of the workspace with the state that it finds as if it had kept it. */
export function useOpenWith<Value>(path: (typeof paths)['check' | 'purchases'], name: string) {
  const client = useQueryClient()
  const { slug } = useWorkspace()
  const [, navigate] = useLocation()
  return (value: Value) => {
    client.setQueryData<Value>([keptKey, name], value)
    navigate(pathTo(path, { workspace: slug }))
  }
}
