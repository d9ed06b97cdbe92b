import { type Choice, sources } from './completion-sources.ts'
import { announce, element, onEach } from './dom.ts'
import { replaceText } from './text-edits.ts'

type Field = HTMLTextAreaElement | HTMLInputElement

/** Milliseconds after the last key until choices are looked up. */
const delay = 150

/** The signs that each kind of field completes; fields of names alone need none. */
const wordFields: Readonly<Record<string, string>> = { users: '@', labels: '~' }

/** Completes references in texts, and names in fields that are a list of them. */
export function startCompletion(): void {
  onEach<HTMLTextAreaElement>('textarea[data-markdown]', (field) => complete(field, wordIn))
  onEach<HTMLInputElement>('input[data-complete]', (field) => {
    const sign = wordFields[field.dataset.complete ?? '']
    complete(field, sign === undefined ? wordIn : (text) => nameIn(text, sign))
  })
}

/** What is being typed: where it begins, its sign, and the word behind that. */
interface Word {
  start: number
  sign: string
  word: string
  /** Whether the sign is no part of the text. */
  isBare: boolean
}

/** The reference at the end of a text. */
export function wordIn(text: string): Word | undefined {
  const found = /(?:^|[\s(,[])([@#!~%:])([^\s@#!~%:"`]{0,50})$/.exec(text.slice(-60))
  if (found === null) return undefined
  const [, sign = '', word = ''] = found
  // Lists and headings begin with these, too.
  if (word === '' && sign !== '@') return undefined
  return { start: text.length - word.length - 1, sign, word, isBare: false }
}

/** The last of the names, separated by commas, at the end of a text. */
export function nameIn(text: string, sign: string): Word | undefined {
  const start = text.lastIndexOf(',') + 1
  const rest = text.slice(start)
  const word = rest.trimStart().replace(/^[@~]/, '')
  return word === ''
    ? undefined
    : { start: start + rest.length - rest.trimStart().length, sign, word, isBare: true }
}

let lists = 0

function complete(field: Field, read: (text: string) => Word | undefined): void {
  lists += 1
  const list = element('ul', {
    class: 'completion',
    role: 'listbox',
    id: `completion-${lists}`,
    hidden: '',
  })
  field.after(list)
  field.setAttribute('autocomplete', 'off')
  field.setAttribute('aria-controls', list.id)
  let timer: ReturnType<typeof setTimeout> | undefined
  let request = new AbortController()
  const close = () => {
    clearTimeout(timer)
    request.abort()
    list.hidden = true
    field.removeAttribute('aria-activedescendant')
  }
  const open = async () => {
    const word = read(field.value.slice(0, field.selectionStart ?? 0))
    if (word === undefined) return close()
    request.abort()
    request = new AbortController()
    const { signal } = request
    const choices = (await sources[word.sign]?.(word.word, signal)) ?? []
    if (signal.aborted) return
    if (choices.length === 0) return close()
    show(field, list, choices, (choice) => {
      insert(field, word, choice)
      close()
    })
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(open, delay)
  })
  field.addEventListener('blur', () => setTimeout(close, delay))
  field.addEventListener('keydown', (event) => onKey(event as KeyboardEvent, field, list, close))
}

function show(
  field: Field,
  list: HTMLElement,
  choices: readonly Choice[],
  choose: (choice: Choice) => void,
): void {
  const options = choices.map((choice, at) => {
    const option = element(
      'li',
      { role: 'option', id: `${list.id}-${at}`, 'aria-selected': 'false' },
      element('span', { class: 'strong' }, choice.text),
      ' ',
      element('span', { class: 'muted' }, choice.about),
    )
    // Before the field loses the focus.
    option.addEventListener('mousedown', (event) => {
      event.preventDefault()
      choose(choice)
    })
    option.addEventListener('click', () => choose(choice))
    return option
  })
  list.replaceChildren(...options)
  list.hidden = false
  select(field, list, 0)
  announce(`${choices.length} suggestions`)
}

function insert(field: Field, { start, isBare }: Word, { text }: Choice): void {
  const end = field.selectionStart ?? field.value.length
  const bare = text.slice(1).replaceAll('"', '')
  replaceText(field, [start, end], isBare ? `${bare}, ` : `${text} `)
}

function select(field: Field, list: HTMLElement, at: number): void {
  for (const [index, option] of [...list.children].entries()) {
    option.setAttribute('aria-selected', String(index === at))
  }
  field.setAttribute('aria-activedescendant', `${list.id}-${at}`)
}

function onKey(event: KeyboardEvent, field: Field, list: HTMLElement, close: () => void): void {
  if (list.hidden) return
  const options = [...list.children] as HTMLElement[]
  const at = options.findIndex((option) => option.ariaSelected === 'true')
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step !== undefined) select(field, list, (at + step + options.length) % options.length)
  else if (event.key === 'Escape') close()
  else if ((event.key === 'Enter' || event.key === 'Tab') && !event.ctrlKey && !event.metaKey) {
    options[at]?.click()
  } else return
  event.preventDefault()
  event.stopPropagation()
}
