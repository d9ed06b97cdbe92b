/** An old and a new title, with marks around what differs. */
export interface TitleChange {
  /** `Fix {-the old-} bug` */
  from: string
  /** `Fix {+a new+} bug` */
  to: string
}

/**
 * Marks what a new title leaves out of the old one, and what it adds (catalogue: issues, 4): one stretch of
 * each, between what both begin and end with. Nothing is marked where nothing was removed, or added.
 */
export function markTitleChange(oldTitle: string, newTitle: string): TitleChange {
  const from = [...oldTitle]
  const to = [...newTitle]
  const most = Math.min(from.length, to.length)
  let start = 0
  while (start < most && from[start] === to[start]) start += 1
  let end = 0
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end += 1
  return { from: mark(from, start, end, '-'), to: mark(to, start, end, '+') }
}

function mark(title: readonly string[], start: number, end: number, sign: '-' | '+'): string {
  const until = title.length - end
  const changed = title.slice(start, until).join('')
  const marked = changed === '' ? '' : `{${sign}${changed}${sign}}`
  return title.slice(0, start).join('') + marked + title.slice(until).join('')
}
