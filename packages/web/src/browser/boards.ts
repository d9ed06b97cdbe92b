import { all, closest, element, onEach } from './dom.ts'

/**
 * Cards are dragged to another list or, where issues have an order, beside another card: this submits the
 * forms that move them without a mouse.
 */
export function startBoards(): void {
  let dragged: HTMLElement | undefined
  onEach<HTMLElement>('[data-card]', (card) => {
    if (card.querySelector('form') === null) return
    card.draggable = true
    card.addEventListener('dragstart', (event) => {
      dragged = card
      event.dataTransfer?.setData('text/plain', card.dataset.card ?? '')
      card.classList.add('dragged')
    })
    card.addEventListener('dragend', () => {
      dragged = undefined
      card.classList.remove('dragged')
      markPlace(undefined)
    })
  })
  document.addEventListener('dragover', (event) => {
    if (dragged === undefined || closest(event, '[data-list]') === null) return
    event.preventDefault()
    markPlace(placeOf(event, dragged))
  })
  document.addEventListener('drop', (event) => {
    const list = closest(event, '[data-list]')
    if (dragged === undefined || list === null) return
    event.preventDefault()
    move(dragged, list, placeOf(event, dragged))
  })
}

/** Beside which card another one is dropped. */
interface Place {
  card: HTMLElement
  side: 'before' | 'after'
}

/** Where the order is that of the issues: the card that is pointed at, or the last one of the list. */
function placeOf(event: DragEvent, dragged: HTMLElement): Place | undefined {
  const list = closest(event, '[data-list]')
  if (!list?.closest('[data-ordered]')) return undefined
  const card = closest(event, '[data-card]')
  if (card === dragged) return undefined
  if (card !== null) {
    const { top, height } = card.getBoundingClientRect()
    return { card, side: event.clientY < top + height / 2 ? 'before' : 'after' }
  }
  const last = all<HTMLElement>('[data-card]', list).findLast((each) => each !== dragged)
  return last && { card: last, side: 'after' }
}

function markPlace(place: Place | undefined): void {
  for (const side of ['before', 'after'] as const) {
    for (const card of all(`.drop-${side}`)) card.classList.remove(`drop-${side}`)
  }
  place?.card.classList.add(`drop-${place.side}`)
}

function move(card: HTMLElement, list: HTMLElement, place: Place | undefined): void {
  const isSame = card.closest('[data-list]') === list
  if (isSame && place === undefined) return
  const form = card.querySelector<HTMLFormElement>(`form[data-${isSame ? 'order' : 'move'}]`)
  if (!form) return
  if (!isSame) {
    const field = form.elements.namedItem('to')
    if (!(field instanceof HTMLSelectElement)) return
    field.value = list.dataset.list ?? ''
    if (field.value === '') return
  }
  if (place !== undefined) {
    const value = place.card.dataset.card ?? ''
    form.append(element('input', { type: 'hidden', name: place.side, value }))
  }
  form.requestSubmit()
}
