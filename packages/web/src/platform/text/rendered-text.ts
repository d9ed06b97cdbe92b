const hiddenLink = ' aria-hidden="true"></a>'
const taskBox = '<input type="checkbox" class="task-list-item-checkbox" disabled'

/** The longest name that a task gets, in characters of its HTML. */
const maxName = 200

/**
 * Completes Markdown that the API has rendered, whose shape its other clients rely on: hidden links of
 * headings leave the order of focus, and checkboxes of tasks get the text beside them as their name.
 */
export function accessibleText(html: string): string {
  const [start = '', ...tasks] = html
    .replaceAll(hiddenLink, ` tabindex="-1"${hiddenLink}`)
    .split(taskBox)
  return start + tasks.map((rest) => `${taskBox} aria-label="${taskName(rest)}"${rest}`).join('')
}

/** @param rest what follows the name of the attribute `disabled`: the end of the tag, and the text */
function taskName(rest: string): string {
  const start = rest.indexOf('>') + 1
  const end = rest.indexOf('\n', start)
  const line = rest.slice(start, end < 0 ? undefined : end)
  const text = line.replace(/<[^<>]*>/g, '').trim()
  const isLong = text.length > maxName
  // Not in the middle of a character reference.
  const cut = isLong ? text.slice(0, maxName).replace(/&[^&;]*$/, '') : text
  return cut === '' ? 'Task' : cut.replaceAll('"', '&quot;')
}
