// Tests a single record that is in no column, with the same results as the columns give.
import type { FilterEntry } from './compile.ts'
import { readFieldValues, type FieldType, type FieldValue } from './field.ts'
import { compareQuantities, quantity, type Quantity } from './quantity.ts'
import type { Bound, LikeTest, RangeTest, Test } from './test.ts'

export function matchesFilter<Record>({ field, any, tests }: FilterEntry<Record>, record: Record): boolean {
  const values = readFieldValues(field, record)
  const holds = (test: Test): boolean => holdsOne(field.type, values, test) !== test.negated
  return any ? tests.some(holds) : tests.every(holds)
}

/** Ignores `negated`. */
function holdsOne(type: FieldType, values: readonly FieldValue[], test: Test): boolean {
  switch (test.kind) {
    case 'null':
      return values.every((value) => value === null || (quantityTypes.has(type) && quantity(type, value) === null))
    case 'equal':
      return values.some((value) => value !== null && test.texts.includes(String(value)))
    case 'like':
      return values.some((value) => value !== null && isLike(String(value).toLowerCase(), test))
    case 'range':
      return values.some((value) => isWithin(quantity(type, value), test))
  }
}

const quantityTypes: ReadonlySet<FieldType> = new Set<FieldType>(['NUMBER', 'TIMESTAMP'])

function isLike(text: string, { place, piece }: LikeTest): boolean {
  if (place === 'STARTS_WITH') return text.startsWith(piece)
  return place === 'ENDS_WITH' ? text.endsWith(piece) : text.includes(piece)
}

function isWithin(value: Quantity | null, { low, high }: RangeTest): boolean {
  return (
    value !== null &&
    (low === null || isBeyond(compareQuantities(value, low.value), low)) &&
    (high === null || isBeyond(compareQuantities(high.value, value), high))
  )
}

function isBeyond(order: number, { included }: Bound): boolean {
  return included ? order >= 0 : order > 0
}
