import { adoptSymbols, loadPage } from '../api.ts'
import { announce, closest, onEach } from '../dom.ts'

/** Files that are loaded at once as they are scrolled to; more are loaded when they are asked for. */
const maxAutomatic = 20

/** Files of a diff that are folded because they are long load when they are seen, or asked for. */
export function startLoading(): void {
  let left = maxAutomatic
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || left <= 0) continue
        left -= 1
        observer.unobserve(target)
        load(target as HTMLAnchorElement)
      }
    },
    { rootMargin: '200px' },
  )
  onEach<HTMLAnchorElement>('a[data-load=seen]', (link) => observer.observe(link))
  document.addEventListener('click', (event) => {
    const link = closest<HTMLAnchorElement>(event, 'a[data-load]')
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    load(link)
  })
}

/** Shows the changes of a folded file in place of the link to them. */
export async function load(link: HTMLAnchorElement): Promise<void> {
  const file = link.closest('.diff-file')
  if (file === null || link.ariaBusy === 'true') return
  link.ariaBusy = 'true'
  const page = await loadPage(link.href)
  link.ariaBusy = null
  const loaded = page?.getElementById(file.id)
  // What is long alone as well has a page of its own.
  if (!page || !loaded || loaded.querySelector('.diff') === null) {
    delete link.dataset.load
    return
  }
  adoptSymbols(page)
  const hadFocus = file.contains(document.activeElement)
  file.replaceWith(document.adoptNode(loaded))
  if (hadFocus) loaded.querySelector<HTMLElement>('.viewed')?.focus()
  announce('Loaded')
}
