import { z } from 'zod'
import { fieldMeta, loose, readInteger, text } from './fields.ts'
import { integerList, textList } from './list-fields.ts'
import { shared } from './shared-schema.ts'

/** A filter value; `none` matches items without any value, `any` those with at least one. */
export type FilterValue<T> = 'none' | 'any' | { is: T }

/** Parses `None` and `Any`, in any case; undefined for other texts. */
function presence(value: unknown): 'none' | 'any' | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  return word === 'none' || word === 'any' ? word : undefined
}

/** A text to filter by, or `None` or `Any`. */
export const textFilter = shared((): z.ZodType<FilterValue<string>, string> => {
  const field = text()
  return loose<FilterValue<string>, string>(
    (value) => presence(value) ?? { is: value },
    z.union([z.enum(['none', 'any']), z.object({ is: field })]),
    fieldMeta(field)?.wire ?? {},
    true,
  )
})

/**
 * A whole number to filter by, `None` or `Any`; with `zeroIsNone`, `0` of old clients is `None`.
 */
export const integerFilter = shared((options: { zeroIsNone?: true; min?: number } = {}) => {
  const { zeroIsNone = false, min = Number.MIN_SAFE_INTEGER } = options
  const read = (value: unknown) => {
    const number = readInteger(value)
    if (zeroIsNone && number === 0) return 'none'
    return presence(number) ?? (typeof number === 'number' ? { is: number } : number)
  }
  return loose<FilterValue<number>, number | string>(
    read,
    z.union([z.enum(['none', 'any']), z.object({ is: z.int().min(min) })]),
    { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['None', 'Any'] }] },
    true,
  )
})

const noLabel = new Set(['none', 'no label', 'no+label'])

/**
 * Label titles as a comma-separated list or an array, or `None` or `Any`, which apply to the whole
 * list wherever they occur in it. An empty list does not filter.
 */
export function labelsFilter(): z.ZodType<FilterValue<readonly string[]>, string[] | string> {
  const titles = textList()
  return z
    .preprocess(
      (value) => value,
      titles.transform((list): FilterValue<readonly string[]> => {
        const words = list.map((title) => title.toLowerCase())
        if (words.some((word) => noLabel.has(word))) return 'none'
        return words.includes('any') ? 'any' : { is: [...new Set(list)] }
      }),
    )
    .meta({ ...fieldMeta(titles), blankIsAbsent: true }) as unknown as z.ZodType<
    FilterValue<readonly string[]>,
    string[] | string
  >
}

/** Whole numbers as `name[]=1&name[]=2` or `1,2`, or `None` or `Any` instead. */
export function integersFilter() {
  const numbers = integerList()
  const read = (value: unknown) => {
    const words = Array.isArray(value) ? value : [value]
    return presence(words.length === 1 ? words[0] : value) ?? value
  }
  return loose<FilterValue<readonly number[]>, number[] | string>(
    read,
    z.union([z.enum(['none', 'any']), numbers.transform((is) => ({ is: [...new Set(is)] }))]),
    {
      anyOf: [{ ...fieldMeta(numbers)?.wire }, { type: 'string', enum: ['None', 'Any'] }],
    },
    true,
  )
}
