// Something on the walk was not as expected. The message says all there is to know.

export class TourFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TourFailed'
  }
}
