/** An old and a new title, with markup around the differences. */
export interface TitleChange {
  /** `Fix {-the old-} bug` */
  from: string
  /** `Fix {+a new+} bug` */
  to: string
}

/**
 * Marks the removed part of the old title and the added part of the new one: a single range each,
 * between the common prefix and suffix. An empty range is not marked.
 */
export function markTitleChange(oldTitle: string, newTitle: string): TitleChange {
  const from = [...oldTitle]
  const to = [...newTitle]
  const maxLength = Math.min(from.length, to.length)
  let start = 0
  while (start < maxLength && from[start] === to[start]) start += 1
  let end = 0
  while (end < maxLength - start && from.at(-1 - end) === to.at(-1 - end)) end += 1
  return { from: mark(from, start, end, '-'), to: mark(to, start, end, '+') }
}

function mark(title: readonly string[], start: number, end: number, sign: '-' | '+'): string {
  const until = title.length - end
  const changed = title.slice(start, until).join('')
  const marked = changed === '' ? '' : `{${sign}${changed}${sign}}`
  return title.slice(0, start).join('') + marked + title.slice(until).join('')
}
