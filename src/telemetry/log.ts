// The log: one JSON object a line on stderr, so that stdout stays free for the ready line. Secrets are kept out of it here,
// whatever the caller hands over.
import { writeSync } from 'node:fs'
import { pino, stdTimeFunctions } from 'pino'
import type { Logger } from 'pino'
import { redactFields, redactText } from './redact.ts'

export type Log = Logger

export interface LogOptions {
  /** trace, debug, info, warn, error, fatal or silent. */
  readonly level: string
  /** Takes finished lines; stderr when absent. */
  readonly write?: (line: string) => void
}

/** Synchronous: the lines before a crash are the ones that matter. */
function writeToStderr(line: string): void {
  try {
    writeSync(2, line)
  } catch {
    // A closed or full pipe on the log's far end is no reason to stop paying.
  }
}

/** A child (`log.child({ requestId })`, `log.child({ transactionId })`) carries its bindings on every line. */
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
