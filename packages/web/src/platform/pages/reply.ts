import type { Theme } from '@stithy/core'
import type { Html } from '../html/html.ts'
import type { Place } from './place.ts'

/** What a page answers with. */
export type Reply = PageReply | RedirectReply | ForwardReply

export interface PageReply {
  kind: 'page'
  /** Default 200; 422 for a form that is shown again. */
  status?: number | undefined
  /** Of the document; the page itself has its heading in the body. */
  title: string
  /** What the page belongs to: its header and navigation are shown around the body. */
  place?: Place | undefined
  /** Seconds after which the page loads again, while the server is at work on what it shows. */
  reloadAfter?: number
  /** What the page shows changes by others: the script brings it up to date. */
  live?: LiveSubject | undefined
  /** The colours of the whole page, whatever the viewer prefers. */
  theme?: Theme
  body: Html
  /** It shows a secret, which the browser doesn't keep. */
  isSecret?: boolean | undefined
}

/** What an open page follows the changes of; its parts that change have `data-live`. */
export interface LiveSubject {
  /** The address of its events in the API. */
  stream: string
  /** Of the state that is shown. */
  updatedAt: string
  /** The address that shows the page as it is then; that of a form which was refused is another one. */
  address: string
  /**
   * Fields of the item in the API, as they are shown. With them, the page is not brought up to date: it says
   * that they have changed, and links to the newer page.
   */
  fields?: Readonly<Record<string, string | number>>
}

export interface RedirectReply {
  kind: 'redirect'
  /** A path on this origin. */
  location: string
}

/** The body and headers of an answer of the API, such as a raw file. */
export interface ForwardReply {
  kind: 'forward'
  response: Response
  /** The media type that it is shown with, such as one of a picture, instead of its own. */
  shownAs?: string | undefined
}

export function page(reply: Omit<PageReply, 'kind'>): PageReply {
  return { kind: 'page', ...reply }
}

/** Sends the browser to another page, as after every form that succeeded. */
export function redirect(location: string): RedirectReply {
  return { kind: 'redirect', location }
}

export function forward(response: Response, shownAs?: string): ForwardReply {
  return { kind: 'forward', response, shownAs }
}
