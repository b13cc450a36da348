// Copies contexts of records. V8 copies an object spread member by member, through the runtime, where a site sees many
// shapes of objects, as the one place does that changes all records. A literal that names each member is copied in a
// sixth of the time, and all its copies have one shape, with room for exactly their members. Such a literal is compiled
// for each list of members that the contexts of one kind have: a few for each kind.
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
    // A process may forbid code from strings.
    return (context) => ({ ...context })
  }
}
