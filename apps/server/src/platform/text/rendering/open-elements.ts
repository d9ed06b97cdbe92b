/** Void elements, which have no end tag. */
const empty = new Set(
  'area base br col embed frame hr img input link meta param source track wbr'.split(' '),
)

/** Maximum depth of open elements, beyond which each one would be more expensive to sanitize. */
const maxOpen = 1000

/** The elements that a sequence of tags leaves open. */
export interface OpenElements {
  names: string[]
  /** Number of open elements by name. */
  times: Map<string, number>
}

export function noElements(): OpenElements {
  return { names: [], times: new Map() }
}

/** Processes a tag; false when it would open one element too many. */
export function trackTag(open: OpenElements, name: string, closes: boolean): boolean {
  if (closes) {
    if ((open.times.get(name) ?? 0) > 0) closeUpTo(open, name)
    return true
  }
  if (empty.has(name)) return true
  if (open.names.length >= maxOpen) return false
  open.names.push(name)
  open.times.set(name, (open.times.get(name) ?? 0) + 1)
  return true
}

function closeUpTo(open: OpenElements, name: string): void {
  for (let last = open.names.pop(); last !== undefined; last = open.names.pop()) {
    open.times.set(last, (open.times.get(last) ?? 1) - 1)
    if (last === name) return
  }
}
