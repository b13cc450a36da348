// Traces of requests, for a collector that accepts OTLP over HTTP. Without a configured collector no spans are created
// and the SDK is not loaded: `traced` then only calls its work. The only file that uses OpenTelemetry.
import { SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'

/** Ids, names and counts; never a key, a signature or text from a client. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

const SERVICE = 'holdfast'

let tracer: Tracer | null = null

/** Sends traces to `url` from now on. Returns a function that sends the remaining spans and ends tracing. */
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
    // An unavailable collector must not delay the stop.
    await provider.shutdown().catch(() => undefined)
  }
}

/** Runs `work` in a span, inside the current one. `after` adds attributes known only at the end. */
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
