import { scriptButton } from '../dom.ts'

/** Adds a button to a file of a diff that hides its lines. */
export function addFolding(file: HTMLElement): void {
  const header = file.querySelector(':scope > header')
  const name = header?.querySelector('h2')?.textContent ?? ''
  if (header === null) return
  const button = scriptButton(
    '▾',
    () => {
      const isFolded = file.classList.toggle('folded')
      button.textContent = isFolded ? '▸' : '▾'
      button.setAttribute('aria-expanded', String(!isFolded))
    },
    { class: 'quiet', 'aria-expanded': 'true', 'aria-label': `Lines of ${name}` },
  )
  header.prepend(button)
}
