import { z } from 'zod'
import { instant } from '../contract/date-fields.ts'
import { boolean, integerList, loose, oneOf, text, textList } from '../contract/fields.ts'

/** A value that is looked for; `none` finds what has no such value, `any` what has at least one. */
export type Sought<T> = 'none' | 'any' | { is: T }

/** `None` and `Any`, in any case (document 1, convention 5); undefined where the text is neither. */
function presence(value: unknown): 'none' | 'any' | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  return word === 'none' || word === 'any' ? word : undefined
}

/** A text to look for, or `None` or `Any`. */
export function soughtText(): z.ZodType<Sought<string>, string> {
  const field = text()
  return loose<Sought<string>, string>(
    (value) => presence(value) ?? { is: value },
    z.union([z.enum(['none', 'any']), z.object({ is: field })]),
    { type: 'string' },
    true,
  )
}

/** A whole number to look for, `None` or `Any`; `0`, which old clients send, is `None` where it is said so. */
export function soughtInteger(options: { zeroIsNone?: true; min?: number } = {}) {
  const { zeroIsNone = false, min = Number.MIN_SAFE_INTEGER } = options
  const read = (value: unknown) => {
    const number = typeof value === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(value) ? +value : value
    if (zeroIsNone && number === 0) return 'none'
    return presence(number) ?? (typeof number === 'number' ? { is: number } : number)
  }
  return loose<Sought<number>, number | string>(
    read,
    z.union([z.enum(['none', 'any']), z.object({ is: z.int().min(min) })]),
    { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['None', 'Any'] }] },
    true,
  )
}

const noLabel = new Set(['none', 'no label', 'no+label'])

/**
 * Titles of labels as a comma list or an array, or one of the words for none and any, which count for the
 * whole list wherever they stand in it. An empty list is no filter.
 */
export function soughtLabels(): z.ZodType<Sought<readonly string[]>, string[] | string> {
  const titles = textList()
  return z
    .preprocess(
      (value) => value,
      titles.transform((list): Sought<readonly string[]> => {
        const words = list.map((title) => title.toLowerCase())
        if (words.some((word) => noLabel.has(word))) return 'none'
        return words.includes('any') ? 'any' : { is: [...new Set(list)] }
      }),
    )
    .meta({
      wire: { type: 'array', items: { type: 'string' } },
      blankIsAbsent: true,
    }) as unknown as z.ZodType<Sought<readonly string[]>, string[] | string>
}

/** Which texts are searched, as `title,description`. */
export const searchedFields = ['title', 'description'] as const
export type SearchedField = (typeof searchedFields)[number]

const scopes = ['created_by_me', 'assigned_to_me', 'all'] as const
export type WorkItemScope = (typeof scopes)[number]

/** Also in the hyphenated forms of old versions (document 2, Issues). */
export function workItemScope(): z.ZodType<WorkItemScope, WorkItemScope> {
  return loose(
    (value) => (typeof value === 'string' ? value.replaceAll('-', '_') : value),
    z.enum(scopes),
    { type: 'string', enum: scopes },
    true,
  )
}

export const workItemOrders = ['created_at', 'updated_at'] as const
export type WorkItemOrder = (typeof workItemOrders)[number]

/** How lists of issues and merge requests are ordered. */
export const workItemSorting = {
  order_by: oneOf(workItemOrders),
  sort: oneOf(['asc', 'desc']),
}

/** Filters that the lists of issues and of merge requests share (document 2). Bounds are inclusive. */
export const workItemFilters = {
  labels: soughtLabels(),
  with_labels_details: boolean(),
  milestone: soughtText(),
  scope: workItemScope(),
  my_reaction_emoji: soughtText(),
  iids: integerList(),
  search: text(),
  created_after: instant(),
  created_before: instant(),
  updated_after: instant(),
  updated_before: instant(),
}
