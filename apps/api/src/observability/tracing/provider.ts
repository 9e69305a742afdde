import type { ExportResult } from '@opentelemetry/core'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions'
import type { TracingConfig } from './tracing-config.ts'

interface ProviderOptions {
  config: TracingConfig
  version: string
  onResult: (spans: number, result: ExportResult) => void
}

function rootSampler({ sampler, ratio }: TracingConfig): Sampler {
  if (sampler.endsWith('always_off')) return new AlwaysOffSampler()
  return sampler.endsWith('traceidratio') ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler()
}

function createSampler(config: TracingConfig): Sampler {
  const root = rootSampler(config)
  return config.sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** The resource attributes of the environment, with name and version as defaults. Excludes the process's arguments and paths. */
const createResource = (version: string) =>
  defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: 'saleproof', [ATTR_SERVICE_VERSION]: version }))
    .merge(
      detectResources({
        detectors: [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector],
      }),
    )

function reporting(exporter: SpanExporter, onResult: ProviderOptions['onResult']): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        onResult(spans.length, result)
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/** Sends spans in batches. The exporters read address, headers, timeout, compression and certificates from the environment. */
export function createProvider({ config, version, onResult }: ProviderOptions): TracerProvider {
  const exporter = config.protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter()
  const processor = new BatchSpanProcessor({
    exporter: reporting(exporter, onResult),
    scheduledDelayMillis: config.delayMs,
    maxQueueSize: config.maxQueueSize,
    maxExportBatchSize: config.maxBatchSize,
  })
  return new TracerProvider({
    resource: createResource(version),
    sampler: createSampler(config),
    spanProcessors: [processor],
  })
}
