import { integer, oneOf, type Parse, type ReadVariable, takes } from '../../config-readers.ts'

const protocols = ['http/protobuf', 'http/json'] as const

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const collector: Parse<string> = (text) =>
  /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')
    ? text
    : takes('the http(s) URL of an OpenTelemetry collector, such as http://127.0.0.1:4318')

const fraction: Parse<number> = (text) => {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  return value <= 1 ? value : takes('a number from 0 to 1')
}

/** The OpenTelemetry variables that the library does not read itself; undefined where tracing is off. */
export function readTracing(read: ReadVariable) {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT', collector, undefined)
  const ofTraces = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', collector, undefined)
  if (!endpoint && !ofTraces) return undefined
  if (read('OTEL_SDK_DISABLED', oneOf(['true', 'false']), 'false') === 'true') return undefined
  if (read('OTEL_TRACES_EXPORTER', oneOf(['otlp', 'none']), 'otlp') === 'none') return undefined
  const protocol = read('OTEL_EXPORTER_OTLP_PROTOCOL', oneOf(protocols), 'http/protobuf')
  return {
    protocol: read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', oneOf(protocols), protocol),
    sampler: read('OTEL_TRACES_SAMPLER', oneOf(samplers), 'parentbased_always_on'),
    // The fraction of the traces that start here to send.
    ratio: read('OTEL_TRACES_SAMPLER_ARG', fraction, 1),
    delayMs: read('OTEL_BSP_SCHEDULE_DELAY', integer(1, 600_000), 5000),
    maxQueueSize: read('OTEL_BSP_MAX_QUEUE_SIZE', integer(1, 1_000_000), 2048),
    maxBatchSize: read('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', integer(1, 100_000), 512),
  }
}

/** How traces are sampled and sent. The exporter reads address and headers from the environment itself. */
export type TracingConfig = NonNullable<ReturnType<typeof readTracing>>
