// The type of a method: takes positional parameters, returns a value or a promise of one. Errors are thrown as
// RpcError.

import type { Params } from './params.ts'

export type Method = (params: Params) => unknown

export type MethodTable = Readonly<Record<string, Method>>
