// Reads members of answers whose shape the OpenAPI document defines. A missing member is `undefined`.

export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((holder, name) => (isObject(holder) ? holder[name] : undefined), value)
}

/** Text, or a number as it was written; otherwise null. */
export function textAt(value: unknown, path: string): string | null {
  const found = at(value, path)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : null
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = at(value, path)
  return Array.isArray(found) ? (found as readonly unknown[]) : []
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
