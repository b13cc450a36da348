// Traces of requests on their way through the floors, for a collector that takes OTLP over HTTP. Without one configured nothing is made,
// and the libraries are not even loaded: `traced` then only calls its work. The place where OpenTelemetry is met.
import { SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'

/** Ids, names and counts; never a key, a signature or anything a client brought as text. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

const SERVICE = 'holdfast'

let tracer: Tracer | null = null

/** From now on traces go to `url`. The answer sends what is left and ends it. */
export async function startTracing(url: string): Promise<() => Promise<void>> {
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))] })
  provider.register()
  tracer = provider.getTracer(SERVICE)
  return async () => {
    tracer = null
    trace.disable()
    // A collector that is away keeps nobody from stopping.
    await provider.shutdown().catch(() => undefined)
  }
}

/** Runs `work` as a span, within the one that is under way. `after` adds what is known only at the end. */
export function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>, after?: (result: T) => Attributes): Promise<T> {
  if (tracer === null) return work()
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      const result = await work()
      if (after !== undefined) span.setAttributes(after(result))
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
