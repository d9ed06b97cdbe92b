/** All elements of a selector below a node. */
export function all<T extends Element = HTMLElement>(
  selector: string,
  root: ParentNode = document,
): T[] {
  return [...root.querySelectorAll<T>(selector)]
}

type Attributes = Readonly<Record<string, string>>

/** A new element with attributes, and texts or elements in it. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value)
  created.append(...children)
  return created
}

/** A button that only the script acts on. */
export function scriptButton(
  text: string,
  onClick: (button: HTMLButtonElement) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const button = element('button', { type: 'button', ...attributes }, text)
  button.addEventListener('click', () => onClick(button))
  return button
}

/** The closest ancestor of the target of an event; null if it has none. */
export function closest<T extends Element = HTMLElement>(
  { target }: Event,
  selector: string,
): T | null {
  return target instanceof Element ? target.closest<T>(selector) : null
}

/** Calls a function for the elements of a selector, now and those that are added later. */
export function onEach<T extends HTMLElement>(selector: string, act: (found: T) => void): void {
  const seen = new WeakSet<T>()
  const look = (root: ParentNode) => {
    for (const found of all<T>(selector, root)) {
      if (seen.has(found)) continue
      seen.add(found)
      act(found)
    }
  }
  look(document)
  new MutationObserver(() => look(document)).observe(document.body, {
    childList: true,
    subtree: true,
  })
}

/** Says something to screen readers. */
export function announce(text: string): void {
  let region = document.getElementById('announcement')
  if (region === null) {
    region = element('p', { id: 'announcement', class: 'hidden', role: 'status' })
    document.body.append(region)
  }
  region.textContent = text
}
