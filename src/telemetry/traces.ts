// Traces of requests, for a collector that accepts OTLP over HTTP. Without a configured collector no spans are created
// and the SDK is not loaded: `withSpan` then only calls its work. The only file that uses OpenTelemetry.
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'

/** Ids, names and counts; never a key, a signature or text from a client. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** Options of a span. */
export interface SpanOptions<T> {
  /** `SERVER`: a request is answered; `CLIENT`: another process is called; default: work within the process. */
  readonly kind?: 'SERVER' | 'CLIENT'
  /** Headers of a request: the span is part of the trace of `traceparent`, or begins one. */
  readonly headers?: Readonly<Record<string, unknown>>
  /** Attributes known only at the end. */
  readonly after?: (result: T) => Attributes
  /** The name, if it is known only at the end. */
  readonly renamed?: () => string
  /** True if the work failed although it did not reject. */
  readonly hasFailed?: () => boolean
}

const SERVICE = 'holdfast'

let tracer: Tracer | null = null

/** Sends traces to `url` from now on. Returns a function that sends the remaining spans and ends tracing. */
export async function startTracing(url: string, version: string): Promise<() => Promise<void>> {
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const resource = resourceFromAttributes({ 'service.name': SERVICE, 'service.version': version })
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  })
  provider.register()
  tracer = provider.getTracer(SERVICE)
  return async () => {
    tracer = null
    trace.disable()
    // An unavailable collector must not delay the stop.
    await provider.shutdown().catch(() => undefined)
  }
}

/** False: `withSpan` only calls its work, and names and attributes need not be made for it. */
export const isTracing = (): boolean => tracer !== null

/** Runs `work` in a span, inside the current one or that of the caller. */
export function withSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  options: SpanOptions<T> = {},
): Promise<T> {
  if (tracer === null) return work()
  const { kind, headers, after, renamed, hasFailed } = options
  const parent = headers === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, headers)
  const spanKind = kind === undefined ? SpanKind.INTERNAL : SpanKind[kind]
  return tracer.startActiveSpan(name, { attributes, kind: spanKind }, parent, async (span) => {
    try {
      const result = await work()
      if (after !== undefined) span.setAttributes(after(result))
      if (renamed !== undefined) span.updateName(renamed())
      if (hasFailed?.() === true) span.setStatus({ code: SpanStatusCode.ERROR })
      return result
    } catch (error) {
      // The class alone: messages may quote what a client sent.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
      throw error
    } finally {
      span.end()
    }
  })
}
