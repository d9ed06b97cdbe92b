import { closest, onEach } from './dom.ts'

/** Cards are dragged to another list: this fills in and submits the form that moves them without a mouse. */
export function startBoards(): void {
  let dragged: HTMLElement | undefined
  onEach<HTMLElement>('[data-card]', (card) => {
    card.draggable = true
    card.addEventListener('dragstart', (event) => {
      dragged = card
      event.dataTransfer?.setData('text/plain', card.dataset.card ?? '')
      card.classList.add('dragged')
    })
    card.addEventListener('dragend', () => {
      dragged = undefined
      card.classList.remove('dragged')
    })
  })
  document.addEventListener('dragover', (event) => {
    if (dragged !== undefined && closest(event, '[data-list]') !== null) event.preventDefault()
  })
  document.addEventListener('drop', (event) => {
    const list = closest(event, '[data-list]')
    if (dragged === undefined || list === null) return
    event.preventDefault()
    move(dragged, list)
  })
}

function move(card: HTMLElement, list: HTMLElement): void {
  const form = card.querySelector<HTMLFormElement>('form[data-move]')
  const field = form?.elements.namedItem('to')
  const isSame = card.closest('[data-list]') === list
  if (!form || isSame || !(field instanceof HTMLSelectElement)) return
  field.value = list.dataset.list ?? ''
  if (field.value !== '') form.requestSubmit()
}
