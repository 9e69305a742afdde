import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { read, root } from '../repository.ts'

export const manifestsFolder = 'apps/api/deploy/kubernetes'

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  [member: string]: unknown
}

interface Probe {
  httpGet: { path: string; port: string | number }
}

/** As far as these tests look into a pod. */
export interface Pod {
  metadata: { labels: Record<string, string> }
  spec: Record<string, unknown> & {
    containers: (Record<string, unknown> & {
      image: string
      args: string[]
      ports?: { name: string; containerPort: number }[]
      startupProbe?: Probe
      livenessProbe?: Probe
      readinessProbe?: Probe
    })[]
  }
}

const files = readdirSync(join(root, manifestsFolder), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.yaml'),
)

const all = files.map((file) => ({ file, manifest: parse(read(join(manifestsFolder, file))) as Manifest }))

export const manifests = all.filter(({ manifest }) => manifest.kind !== 'Kustomization')

export const kustomizations = all
  .filter(({ manifest }) => manifest.kind === 'Kustomization')
  .map(({ file, manifest }) => ({
    file,
    ...(manifest as unknown as { namespace: string; resources: string[]; images: Record<string, string>[] }),
  }))

export const manifestOf = (kind: string) => manifests.find(({ manifest }) => manifest.kind === kind)!.manifest

export const podOf = (kind: string) =>
  (manifestOf(kind) as unknown as { spec: { template: Pod } }).spec.template
