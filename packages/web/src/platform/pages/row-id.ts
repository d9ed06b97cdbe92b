import type { PageCall } from './page-call.ts'
import { missing } from './refusal.ts'

/**
 * The id in the address of a page.
 * @param name of the parameter
 * @throws StithyError 404 for what is no id
 */
export function rowId({ params }: Pick<PageCall, 'params'>, name = 'id'): number {
  const text = params[name] ?? ''
  if (!/^[1-9]\d{0,14}$/.test(text)) throw missing()
  return Number(text)
}
