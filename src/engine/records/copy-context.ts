// Copies contexts of records. The code that changes records sees many object shapes, so V8 executes an object spread
// there member by member in the runtime. An object literal that names every member takes a sixth of the time, and all
// copies share one shape without spare room. This file compiles such a literal for each list of members that occurs in
// contexts of a kind; there are a few per kind.
export type ContextMembers = Readonly<Record<string, unknown>>

/** Copies a context with these members. */
export interface Layout {
  readonly members: readonly string[]
  copy(context: ContextMembers): Record<string, unknown>
}

/** Layouts of one kind of record. */
export class Layouts {
  readonly #known: Layout[] = []

  of(context: ContextMembers): Layout {
    const members = Object.keys(context)
    const known = this.#known.find((layout) => isSame(layout.members, members))
    if (known !== undefined) return known
    const layout = { members, copy: copierOf(members) }
    this.#known.push(layout)
    return layout
  }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((member, at) => member === others[at])
}

function copierOf(members: readonly string[]): Layout['copy'] {
  const list = members.map((member) => `${JSON.stringify(member)}: from[${JSON.stringify(member)}]`).join(', ')
  try {
    // The members are those of the machines' types.
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    return new Function('from', `return { ${list} }`) as Layout['copy']
  } catch {
    // The process may forbid code generation from strings.
    return (context) => ({ ...context })
  }
}
