import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { parse } from 'protobufjs'

// The part of https://github.com/open-telemetry/opentelemetry-proto that traces are sent in.
const { root } = parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
  message Scope { string name = 1; string version = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
    int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
    Status status = 15;
  }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
  }
`)
const Request = root.lookupType('Request')

type Value = string | number | boolean

interface KeyValue {
  key: string
  value: Record<string, Value>
}

interface WireSpan {
  traceId: string | Uint8Array
  spanId: string | Uint8Array
  parentSpanId?: string | Uint8Array
  traceState?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: KeyValue[]
  status?: { code?: number; message?: string }
}

interface WireRequest {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: WireSpan[] }[] }[]
}

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  traceState: string
  name: string
  kind: 'internal' | 'server' | 'client'
  durationMs: number
  attributes: Record<string, Value>
  failed: boolean
  resource: Record<string, Value>
}

const kinds = ['', 'internal', 'server', 'client'] as const

const hex = (id: string | Uint8Array | undefined) =>
  typeof id === 'string' ? id : Buffer.from(id ?? []).toString('hex')

/** Integers come as text or as objects, so that none is rounded. */
const plainValue = ({ stringValue, boolValue, intValue, doubleValue }: Record<string, Value>): Value =>
  stringValue ?? boolValue ?? (intValue === undefined ? doubleValue! : Number(intValue))

const attributesOf = (pairs: readonly KeyValue[] = []) =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, plainValue(value)]))

const spanOf = (span: WireSpan, resource: CollectedSpan['resource']): CollectedSpan => ({
  traceId: hex(span.traceId),
  spanId: hex(span.spanId),
  parentSpanId: hex(span.parentSpanId),
  traceState: span.traceState ?? '',
  name: span.name,
  kind: kinds[span.kind] as CollectedSpan['kind'],
  durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  attributes: attributesOf(span.attributes),
  failed: span.status?.code === 2,
  resource,
})

const spansOf = ({ resourceSpans }: WireRequest) =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => spanOf(span, attributesOf(resource.attributes)))),
  )

const read = async (incoming: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  return incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
}

function decode(type: string | undefined, bytes: Buffer): WireRequest {
  if (type === 'application/json') return JSON.parse(bytes.toString())
  if (type !== 'application/x-protobuf') throw new Error(`unexpected ${type}`)
  return Request.toObject(Request.decode(bytes), { longs: String }) as WireRequest
}

/** Takes traces as a collector does, over HTTP in OTLP. `answer` says with which status, or to say nothing at all. */
export async function startCollector(answer: () => number | 'nothing' = () => 200) {
  const spans: CollectedSpan[] = []
  const requests: { path: string; headers: IncomingMessage['headers']; bytes: Buffer }[] = []
  const server = createServer(async (incoming, response) => {
    // A process that is killed sends a part of its request.
    const bytes = await read(incoming).catch(() => undefined)
    if (!bytes) return
    requests.push({ path: incoming.url ?? '', headers: incoming.headers, bytes })
    const status = answer()
    if (status === 'nothing') return
    if (status === 200) spans.push(...spansOf(decode(incoming.headers['content-type'], bytes)))
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
