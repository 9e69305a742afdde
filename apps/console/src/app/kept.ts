import { useQueryClient } from '@tanstack/react-query'
import { type SetStateAction, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { keptKey } from '../api/stored-drafts.ts'
import { type paths, pathTo } from './pages.ts'
import { useWorkspace } from './workspace.ts'

/**
 * State that its page finds again when the user comes back. It stays in memory, since a URL or the browser's storage would store
 * purchase codes, and ends with the session like everything of the query client. Without a name it ends with its page. What has a name
 * that begins with `storedKey` survives a reload.
 */
export function useKept<Value>(name: readonly string[] | undefined, initial: Value) {
  const client = useQueryClient()
  const key = name && [keptKey, ...name]
  const [value, setValue] = useState(() => (key && client.getQueryData<Value>(key)) ?? initial)
  const isEdited = useRef(false)
  useEffect(() => {
    if (key && isEdited.current) client.setQueryData<Value>(key, value)
  })
  /** The next visit begins with the initial state; this one keeps what it shows. */
  const forget = () => {
    isEdited.current = false
    if (key) client.removeQueries({ queryKey: key })
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
