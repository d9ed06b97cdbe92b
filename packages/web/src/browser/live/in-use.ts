import { all } from '../dom.ts'

/** Whether the reader is in it, has typed or chosen something there, or has sent a form of it. */
export function isInUse(element: Element): boolean {
  if (element.contains(document.activeElement)) return true
  const selection = getSelection()
  if (selection?.isCollapsed === false && selection.containsNode(element, true)) return true
  // What was typed into a form that was refused is what the server has rendered.
  if (element.querySelector('form[data-sent], .summary') !== null) return true
  return all<Field>('input, select, textarea', element).some(isChanged)
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const chosen = [...field.options].findIndex((option) => option.defaultSelected)
    return field.selectedIndex !== Math.max(chosen, 0)
  }
  if (field.value !== field.defaultValue) return true
  return field instanceof HTMLInputElement && field.checked !== field.defaultChecked
}
