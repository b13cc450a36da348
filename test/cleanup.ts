// What a test file leaves to be closed or removed. Files that share a process share the modules of their helpers too,
// so that a hook of such a module would be registered for the first of these files alone: `test/setup.ts` registers one
// for each file.

const pending: (() => unknown)[] = []

/** Runs when the tests of the file have ended, the latest first. */
export function atEndOfFile(work: () => unknown): void {
  pending.push(work)
}

export async function endFile(): Promise<void> {
  for (let work = pending.pop(); work !== undefined; work = pending.pop()) await work()
}
