import { all } from '../dom.ts'

/** What the server has rendered of the children of live parts, before the script has changed them. */
export interface Rendered {
  /** Remembers what is in a part of the page. */
  note: (part: ParentNode) => void
  /** Whether an element is shown as the server renders it now. */
  isSame: (shown: Element, newer: Element) => boolean
  /** A copy of an element of a newer page, for this one. */
  copy: (newer: Element) => Element
}

export function createRendered(): Rendered {
  const texts = new WeakMap<Element, string>()
  const note = (part: ParentNode) => {
    for (const child of all('[data-live] > *', part)) texts.set(child, textOf(child))
  }
  return {
    note,
    isSame: (shown, newer) => texts.get(shown) === textOf(newer),
    copy(newer) {
      const copy = document.importNode(newer, true)
      texts.set(copy, textOf(newer))
      note(copy)
      return copy
    },
  }
}

/** Without times relative to now, and tokens of forms, which are other ones on each page. */
function textOf(element: Element): string {
  const copy = element.cloneNode(true) as Element
  for (const time of all('time', copy)) time.textContent = ''
  for (const token of all('input[name=authenticity_token]', copy)) token.removeAttribute('value')
  return copy.outerHTML
}
