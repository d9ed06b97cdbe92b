/** Replaces a part of a field, so that it can be undone. */
export function replaceText(
  field: HTMLTextAreaElement | HTMLInputElement,
  [start, end]: readonly [number, number],
  text: string,
): void {
  field.focus()
  field.setSelectionRange(start, end)
  // Deprecated, but the only way that keeps the history of the field.
  if (!document.execCommand('insertText', false, text)) {
    field.setRangeText(text, start, end, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

function selectionOf(field: HTMLTextAreaElement): [number, number] {
  return [field.selectionStart, field.selectionEnd]
}

/** Puts marks around what is selected, or takes them away. */
export function wrap(field: HTMLTextAreaElement, mark: string): void {
  const [start, end] = selectionOf(field)
  const { value } = field
  const inner = value.slice(start, end)
  const isWrapped =
    value.slice(start - mark.length, start) === mark && value.slice(end, end + mark.length) === mark
  if (isWrapped) {
    replaceText(field, [start - mark.length, end + mark.length], inner)
    field.setSelectionRange(start - mark.length, end - mark.length)
    return
  }
  replaceText(field, [start, end], mark + inner + mark)
  field.setSelectionRange(start + mark.length, end + mark.length)
}

/** The lines that the selection touches. */
function linesAt(field: HTMLTextAreaElement): [number, number] {
  const [start, end] = selectionOf(field)
  const from = field.value.lastIndexOf('\n', start - 1) + 1
  const next = field.value.indexOf('\n', end)
  return [from, next < 0 ? field.value.length : next]
}

/** Begins each selected line with a prefix, or takes it away if all have it. */
export function prefixLines(field: HTMLTextAreaElement, prefix: string): void {
  const range = linesAt(field)
  const lines = field.value.slice(...range).split('\n')
  const isPrefixed = lines.every((line) => line.startsWith(prefix))
  const changed = lines.map((line) => (isPrefixed ? line.slice(prefix.length) : prefix + line))
  replaceText(field, range, changed.join('\n'))
}

/** Moves the selected lines in or out. */
export function indent(field: HTMLTextAreaElement, isIn: boolean): void {
  const range = linesAt(field)
  const lines = field.value.slice(...range).split('\n')
  const changed = lines.map((line) =>
    isIn ? `  ${line}` : line.startsWith('  ') ? line.slice(2) : line,
  )
  replaceText(field, range, changed.join('\n'))
}

/** Makes what is selected the text of a link, and selects its address. */
export function insertLink(field: HTMLTextAreaElement): void {
  const [start, end] = selectionOf(field)
  const text = field.value.slice(start, end)
  replaceText(field, [start, end], `[${text}](url)`)
  const at = start + text.length + 3
  field.setSelectionRange(at, at + 3)
}
