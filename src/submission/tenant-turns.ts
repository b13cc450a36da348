// A fair queue: tenants take turns, and the items of one tenant are taken in order. After its turn a tenant waits until
// every other waiting tenant has had one, however many items each has waiting.

export class TenantTurns<Item extends { readonly tenant: string }> {
  /** In the order of the turns. */
  readonly #tenants = new Map<string, Item[]>()

  get isEmpty(): boolean {
    return this.#tenants.size === 0
  }

  enter(item: Item): void {
    const items = this.#tenants.get(item.tenant)
    if (items === undefined) this.#tenants.set(item.tenant, [item])
    else items.push(item)
  }

  /** The item whose turn is next; undefined when none waits. */
  peek(): Item | undefined {
    for (const items of this.#tenants.values()) return items[0]
    return undefined
  }

  /**
   * Removes and returns the next item; undefined when none may be taken. Its tenant moves behind all others.
   * @param mayTake false for a tenant that keeps its place instead of taking its turn
   */
  take(mayTake: (tenant: string) => boolean = () => true): Item | undefined {
    for (const [tenant, items] of this.#tenants) {
      if (!mayTake(tenant)) continue
      const item = items.shift()
      this.#tenants.delete(tenant)
      // Setting a deleted key again puts it last in the map.
      if (items.length > 0) this.#tenants.set(tenant, items)
      return item
    }
    return undefined
  }
}
