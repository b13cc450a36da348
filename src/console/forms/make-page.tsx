// The page for new records: the list of forms, one of the forms, or a batch from a file.
import type { VNode } from 'preact'
import { BatchUpload } from './batch-upload.tsx'
import { FormPage, NewPage } from './form-page.tsx'
import type { Route } from '../route.ts'
import { may } from '../session.ts'

export function MakePage({ name, route }: { name: string | undefined; route: Route }): VNode {
  if (name === undefined) return <NewPage />
  if (name === 'batch' && may('TRANSACTIONS_READ')) return <BatchUpload />
  return <FormPage key={name} name={name} route={route} />
}
