import { pageText } from '../platform/text/rendered-text.ts'

/** Shows HTML that the API has rendered and sanitised: nothing else may become markup. */
export function adoptText(target: Element, html: string): void {
  const { body } = new DOMParser().parseFromString(pageText(html), 'text/html')
  target.replaceChildren(...body.childNodes)
}
