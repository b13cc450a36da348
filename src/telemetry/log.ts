// The log: one JSON object per line on stderr; stdout stays free for the ready line. Secrets are removed here, whatever
// the caller passes.
import { writeSync } from 'node:fs'
import { pino, stdTimeFunctions } from 'pino'
import type { Logger } from 'pino'
import { redactFields, redactText } from './redact.ts'

export type Log = Logger

export interface LogOptions {
  /** trace, debug, info, warn, error, fatal or silent. */
  readonly level: string
  /** Receives complete lines; stderr when absent. */
  readonly write?: (line: string) => void
}

/** Synchronous: the lines before a crash are the important ones. */
function writeToStderr(line: string): void {
  try {
    writeSync(2, line)
  } catch {
    // A closed or full pipe on stderr must not stop the service.
  }
}

/** A child logger (`log.child({ requestId })`, `log.child({ transactionId })`) adds its bindings to every line. */
export function createLog({ level, write = writeToStderr }: LogOptions): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactFields(fields) as Record<string, unknown>,
        bindings: (bindings) => redactFields(bindings) as Record<string, unknown>,
      },
      serializers: { err: (value: unknown) => redactFields(value) },
    },
    { write: (line: string) => write(redactText(line)) },
  )
}
