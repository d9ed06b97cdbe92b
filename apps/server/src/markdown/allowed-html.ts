import type { IOptions } from 'sanitize-html'

const text =
  'a abbr b br cite code del dfn em i ins kbd mark q s samp small span strike strong sub sup tt u var'
const blocks =
  'blockquote details div dd dl dt h1 h2 h3 h4 h5 h6 hr img input li ol p pre summary ul'
const tables = 'caption table tbody td tfoot th thead tr'

/** Elements whose content is nothing to read. */
const unread = 'iframe noembed noframes noscript option plaintext script style textarea title xmp'

const alignments = ['left', 'right', 'center']

/** Elements that browsers draw one inside the other before it becomes a burden to them. */
const maxNesting = 100

/**
 * What may be in the HTML that comes of a text, and nothing else: no scripts, styles, frames, forms or
 * drawings, no ids that a page could take for its own, and no addresses but those of the web and of mail.
 */
export const allowedHtml: IOptions = {
  allowedTags: `${text} ${blocks} ${tables}`.split(' '),
  nonTextTags: unread.split(' '),
  nestingLimit: maxNesting,
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    input: ['type', 'checked', 'disabled'],
    details: ['open'],
    ol: ['start'],
    td: ['align', 'colspan', 'rowspan'],
    th: ['align', 'colspan', 'rowspan'],
  },
  allowedClasses: {
    code: ['language-*'],
    li: ['task-list-item'],
    ol: ['task-list'],
    ul: ['task-list'],
  },
  allowedSchemes: ['http', 'https', 'ftp', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: { ...attribs, rel: 'nofollow noreferrer noopener' },
    }),
    // The boxes of task lists; whatever else somebody writes becomes one as well.
    input: (tagName, { checked }) => ({
      tagName,
      attribs: {
        type: 'checkbox',
        disabled: '',
        ...(checked === undefined ? {} : { checked: '' }),
      },
    }),
    td: alignedCell,
    th: alignedCell,
  },
}

function alignedCell(tagName: string, { align = '', ...attribs }: Record<string, string>) {
  return { tagName, attribs: alignments.includes(align) ? { ...attribs, align } : attribs }
}
