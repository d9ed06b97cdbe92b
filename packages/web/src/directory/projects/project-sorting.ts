import type { ProjectOrder, SortDirection } from '@stithy/core'
import type { Option } from '../../platform/design/form-fields.ts'

/** How lists of projects are sorted; the values are those of existing addresses. */
const orders: Readonly<Record<string, { text: string; by: ProjectOrder; sort: SortDirection }>> = {
  latest_activity_desc: { text: 'Last updated', by: 'last_activity_at', sort: 'desc' },
  latest_activity_asc: { text: 'Oldest updated', by: 'last_activity_at', sort: 'asc' },
  name_asc: { text: 'Name', by: 'name', sort: 'asc' },
  name_desc: { text: 'Name, descending', by: 'name', sort: 'desc' },
  created_desc: { text: 'Last created', by: 'created_at', sort: 'desc' },
  created_asc: { text: 'Oldest created', by: 'created_at', sort: 'asc' },
}

const [byActivity = ''] = Object.keys(orders)

export const projectOrderOptions: readonly Option[] = Object.entries(orders).map(
  ([value, { text }]) => ({ value, text }),
)

/** The order that an address asks for; the last updated first, unless it names a known one. */
export function projectOrder(query: URLSearchParams): string {
  const value = query.get('sort') ?? ''
  return Object.hasOwn(orders, value) ? value : byActivity
}

/** The same as parameters of the API. */
export function orderParameters(value: string): { order_by?: ProjectOrder; sort?: SortDirection } {
  const order = orders[value]
  return order === undefined ? {} : { order_by: order.by, sort: order.sort }
}
