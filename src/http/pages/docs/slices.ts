// Long work in slices, so that requests are served in between: the process that serves these pages also executes
// payments.

/** As `items.map(make)`, yielding to the event loop after each item. */
export async function inSlices<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Made | Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = []
  for (const item of items) {
    made.push(await make(item))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return made
}
