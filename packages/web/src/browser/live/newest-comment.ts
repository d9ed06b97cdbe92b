import { showNews } from '../news.ts'

/** Tells of a comment on another page of the discussion than the one that is shown. */
export interface NewestComment {
  /** @param page the page as it is now */
  compare: (page: Document) => void
}

export function watchNewestComment(): NewestComment {
  let known = idOf(linkIn(document))
  return {
    compare(page) {
      const link = linkIn(page)
      const id = idOf(link)
      if (link === null || id <= known) return
      known = id
      if (page.getElementById(`note_${id}`) !== null) return
      const { author = '' } = link.dataset
      const href = link.getAttribute('href') ?? ''
      showNews(`New comment by ${author} on another page`, { href, text: 'Show it' })
    },
  }
}

function linkIn(page: Document): HTMLElement | null {
  return page.querySelector<HTMLElement>('a[data-newest]')
}

function idOf(link: HTMLElement | null): number {
  return Number(link?.dataset.newest ?? 0)
}
