import { element, scriptButton } from './dom.ts'

/**
 * Says what somebody else has changed where the reader doesn't see it, until it is closed or something newer is
 * said.
 */
export function showNews(text: string, link: { href: string; text: string }): void {
  const region = document.querySelector('.news') ?? newRegion()
  region.replaceChildren(
    element('span', {}, text),
    element('a', { class: 'button', href: link.href }, link.text),
    scriptButton('✕', () => region.replaceChildren(), { class: 'quiet', 'aria-label': 'Close' }),
  )
}

function newRegion(): HTMLElement {
  const region = element('div', { class: 'news', role: 'status' })
  document.body.append(region)
  return region
}
