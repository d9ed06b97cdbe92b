import { adoptText } from './adopt-text.ts'
import { callApi, isSignedIn, pageProject } from './api.ts'
import { element, onEach, scriptButton } from './dom.ts'
import { indent, insertLink, prefixLines, wrap } from './text-edits.ts'

type Edit = (field: HTMLTextAreaElement) => void

const tools: readonly (readonly [text: string, name: string, edit: Edit])[] = [
  ['B', 'Bold', (field) => wrap(field, '**')],
  ['I', 'Italic', (field) => wrap(field, '_')],
  ['<>', 'Code', (field) => wrap(field, '`')],
  ['❞', 'Quote', (field) => prefixLines(field, '> ')],
  ['Link', 'Link', insertLink],
  ['•', 'List', (field) => prefixLines(field, '- ')],
  ['☑', 'Task', (field) => prefixLines(field, '- [ ] ')],
]

/** Gives texts in Markdown a toolbar and a preview. */
export function startEditors(): void {
  if (!isSignedIn()) return
  onEach<HTMLTextAreaElement>('textarea[data-markdown]', addToolbar)
}

function addToolbar(field: HTMLTextAreaElement): void {
  const preview = element('div', { class: 'preview prose', tabindex: '0', hidden: '' })
  const edits = tools.map(([text, name, edit]) =>
    scriptButton(
      text,
      () => {
        edit(field)
        field.focus()
      },
      { class: 'quiet', title: name, 'aria-label': name },
    ),
  )
  const toggle = scriptButton('Preview', (button) => togglePreview(field, preview, button, edits), {
    class: 'quiet',
    'aria-pressed': 'false',
  })
  const label = field.labels?.[0]?.textContent ?? 'text'
  const bar = element(
    'div',
    { class: 'editor-toolbar', role: 'toolbar', 'aria-label': `Format of ${label}` },
    toggle,
    ...edits,
  )
  field.before(bar)
  field.after(preview)
  field.addEventListener('keydown', onKey)
}

async function togglePreview(
  field: HTMLTextAreaElement,
  preview: HTMLElement,
  button: HTMLButtonElement,
  edits: readonly HTMLButtonElement[],
): Promise<void> {
  const isShown = preview.hidden !== false
  button.setAttribute('aria-pressed', String(isShown))
  button.textContent = isShown ? 'Write' : 'Preview'
  for (const edit of edits) edit.disabled = isShown
  preview.hidden = !isShown
  field.hidden = isShown
  if (!isShown) {
    field.focus()
    return
  }
  preview.textContent = 'Loading …'
  const project = pageProject()
  const rendered = await callApi<{ html: string }>('/markdown', {
    body: { text: field.value, gfm: true, ...(project === undefined ? {} : { project }) },
  })
  if (rendered === undefined) preview.textContent = 'There is no preview now.'
  else adoptText(preview, rendered.html || '<p>Nothing to preview.</p>')
}

function onKey(event: KeyboardEvent): void {
  const field = event.currentTarget as HTMLTextAreaElement
  if (!(event.ctrlKey || event.metaKey)) return
  const edit = { b: tools[0], i: tools[1], k: tools[4] }[event.key]?.[2]
  if (edit === undefined && event.key !== ']' && event.key !== '[') return
  event.preventDefault()
  if (edit !== undefined) edit(field)
  else indent(field, event.key === ']')
}
