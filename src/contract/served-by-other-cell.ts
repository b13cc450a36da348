// A request of SYSTEM that does not name the organization it is about: the cell of that organization serves it.

/** Thrown before anything is decided or changed: the request begins again in the cell of the tenant. */
export class ServedByOtherCell extends Error {
  override readonly name = 'ServedByOtherCell'
  readonly tenant: string

  constructor(tenant: string) {
    super(`the cell of ${tenant} must serve the request`)
    this.tenant = tenant
  }
}
