// Long work in slices, so that requests are answered in between: these pages are made by the process that moves the money.

/** What `items.map(make)` is, with a turn for all others after each. */
export async function inSlices<Item, Made>(items: readonly Item[], make: (item: Item) => Made | Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  for (const item of items) {
    made.push(await make(item))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return made
}
