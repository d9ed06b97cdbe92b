import { labelDot } from './label-dot.ts'

const hiddenLink = ' aria-hidden="true"></a>'
const taskBox = '<input type="checkbox" class="task-list-item-checkbox" disabled'

/** A label as a filled box, whose style the policy of the pages forbids. */
const filledLabel =
  /<span class="label color-label" style="background-color: (#[0-9a-f]{3,6}); color: #[0-9a-f]{3,6}">/gi

/** The longest name that a task gets, in characters of its HTML. */
const maxName = 200

/**
 * Completes Markdown that the API has rendered, whose shape its other clients rely on: hidden links of
 * headings leave the order of focus, checkboxes of tasks get the text beside them as their name, and labels look as
 * elsewhere on the pages.
 */
export function pageText(html: string): string {
  const [start = '', ...tasks] = html
    .replace(filledLabel, (_, color: string) => `<span class="label">${labelDot(color).text}`)
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
