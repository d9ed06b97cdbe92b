import { all } from '../dom.ts'
import { isInUse } from './in-use.ts'
import { createRendered } from './rendered.ts'

/**
 * The parts of a page that are brought up to date: elements with `data-live`, of which each child is
 * replaced if the server renders it differently than before. A child is known by its key, and may be
 * such a part itself.
 */
export interface Regions {
  /** Shows a newer page; returns the authors of the comments that are new. */
  show: (page: Document) => string[]
  /** Shows what was left alone since the reader was at it. */
  retry: () => void
}

export function createRegions(): Regions {
  const merger = createMerger()
  let waiting: Document | undefined
  function show(page: Document): string[] {
    const ids = new Set(all('.comment[id]').map(({ id }) => id))
    const isWhole = merger.merge(page)
    waiting = isWhole ? undefined : page
    document.title = page.title
    return all('.comment[id]')
      .filter(({ id }) => !ids.has(id))
      .map((comment) => comment.querySelector('.author')?.textContent ?? '')
  }
  return {
    show,
    retry: () => {
      if (waiting !== undefined) show(waiting)
    },
  }
}

function createMerger() {
  const rendered = createRendered()
  rendered.note(document)
  let isWhole = true

  function mergePart(shown: Element, newer: Element): void {
    const old = byKey(shown)
    let last: Element | undefined
    for (const [key, child] of byKey(newer)) {
      const known = old.get(key)
      old.delete(key)
      last = known === undefined ? insert(shown, last, child) : update(known, child)
    }
    for (const gone of old.values()) if (isFree(gone)) gone.remove()
  }

  function insert(shown: Element, before: Element | undefined, child: Element): Element {
    const copy = rendered.copy(child)
    if (before === undefined) shown.prepend(copy)
    else before.after(copy)
    return copy
  }

  function update(known: Element, child: Element): Element {
    if (known.matches('[data-live]')) mergePart(known, child)
    else if (!rendered.isSame(known, child) && isFree(known)) {
      const next = rendered.copy(child)
      keepOpen(known, next)
      known.replaceWith(next)
      return next
    }
    return known
  }

  function isFree(element: Element): boolean {
    if (!isInUse(element)) return true
    isWhole = false
    return false
  }

  return {
    /** Returns whether nothing was left alone. */
    merge(page: Document): boolean {
      isWhole = true
      for (const part of all('[data-live]')) {
        // Those in others are shown with them.
        if (part.parentElement?.closest('[data-live]')) continue
        const newer = page.querySelector(`[data-live="${part.dataset.live}"]`)
        if (newer !== null) mergePart(part, newer)
      }
      return isWhole
    },
  }
}

/** The children of a part, in order. */
function byKey(part: Element): Map<string, Element> {
  const children = new Map<string, Element>()
  for (const child of all(':scope > *', part)) {
    const key = child.dataset.key ?? (child.id || child.querySelector('[id]')?.id) ?? child.tagName
    children.set(children.has(key) ? `${key} ${children.size}` : key, child)
  }
  return children
}

/** What was unfolded stays so. */
function keepOpen(known: Element, next: Element): void {
  const opened = all<HTMLDetailsElement>('details', known)
  const others = all<HTMLDetailsElement>('details', next)
  if (opened.length !== others.length) return
  for (const [at, details] of others.entries()) if (opened[at]?.open) details.open = true
}
