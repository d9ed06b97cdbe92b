import { Html, html } from '@stithy/web'
import type { Attributes } from 'sanitize-html'

const tags =
  'a abbr b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp small strike strong sub summary sup table tbody td tfoot th thead tr tt ul var'

/** Longer texts are cut: mail clients cut them as well. In characters. */
const maxLength = 32_768

/** Longer markup of a text that is not: it would keep the event loop. */
const maxMarkup = 100_000

/** Cuts a text that is too long for a mail. */
export function cutForMail(text: string): { text: string; isCut: boolean } {
  if (text.length <= maxLength) return { text, isCut: false }
  return { text: text.slice(0, maxLength).toWellFormed(), isCut: true }
}

/**
 * Makes the HTML of a rendered text fit for mail: without classes and ids, with absolute links, and
 * with a link in place of each image, so that opening the mail loads nothing from anywhere.
 * The text itself, if its markup is many times longer.
 * @param siteUrl what relative links are relative to
 */
export async function mailHtml(text: string, rendered: string, siteUrl: string): Promise<Html> {
  if (rendered.length > maxMarkup) return html`<pre>${text}</pre>`
  if (rendered === '') return new Html('')
  // Servers that send no mail need not load it.
  const { default: sanitizeHtml } = await import('sanitize-html')
  const markup = sanitizeHtml(rendered, {
    allowedTags: tags.split(' '),
    allowedAttributes: { a: ['href'], ol: ['start'] },
    allowedSchemes: ['http', 'https', 'ftp', 'mailto'],
    allowProtocolRelative: false,
    nestingLimit: 100,
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: linkOf(attribs.href, siteUrl) }),
      img: (_, attribs) => image(attribs, siteUrl),
      input: (_, attribs) => ({
        tagName: 'span',
        attribs: {},
        text: 'checked' in attribs ? '[x] ' : '[ ] ',
      }),
    },
  })
  return new Html(markup)
}

function image({ src, alt = '' }: Attributes, siteUrl: string) {
  const text = alt.trim() === '' ? 'image' : alt
  return { tagName: 'a', attribs: linkOf(src, siteUrl), text }
}

/** An anchor within the page leads nowhere in a mail. */
function linkOf(address: string | undefined, siteUrl: string): Attributes {
  if (address === undefined || address.startsWith('#')) return {}
  const url = URL.parse(address, `${siteUrl}/`)
  return url === null ? {} : { href: url.href }
}
