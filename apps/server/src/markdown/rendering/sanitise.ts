import sanitizeHtml, { type Attributes, type IOptions } from 'sanitize-html'
import { linkAttributes, resolveAddress } from './links.ts'
import type { RenderContext } from './render-context.ts'

const text =
  'a abbr b br cite code del dfn em gl-emoji i ins kbd mark q s samp small span strike strong sub sup tt u var'
const blocks =
  'blockquote details div dd dl dt h1 h2 h3 h4 h5 h6 hr img input li ol p pre section summary ul'
const tables = 'caption table tbody td tfoot th thead tr'

/** Elements whose content is nothing to read. */
const unread = 'iframe noembed noframes noscript option plaintext script style textarea title xmp'

const alignments = ['left', 'right', 'center']

/** Elements that browsers draw one inside the other before it becomes a burden to them. */
const maxNesting = 100

/** Carries the sign by which what is made here is told from what somebody wrote. */
export const ownAttribute = 'data-own'

/**
 * What may be in the HTML that comes of a text, and nothing else: no scripts, frames, forms or drawings, and
 * no addresses but those of the web and of mail. What somebody wrote has fewer attributes still.
 */
const allowed: IOptions = {
  allowedTags: `${text} ${blocks} ${tables}`.split(' '),
  nonTextTags: unread.split(' '),
  nestingLimit: maxNesting,
  allowedAttributes: {
    '*': ['class', 'id'],
    a: ['href', 'title', 'rel', 'target', 'aria-hidden', 'data-*'],
    details: ['open'],
    'gl-emoji': ['title', 'data-name'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    input: ['type', 'checked', 'disabled'],
    ol: ['start'],
    span: ['style'],
    td: ['align', 'colspan', 'rowspan'],
    th: ['align', 'colspan', 'rowspan'],
  },
  parseStyleAttributes: false,
  allowedSchemes: ['http', 'https', 'ftp', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
}

/**
 * Takes everything from HTML that a page must not run or show. Elements with `data-own="<sign>"` are the
 * program's own and keep their ids, classes and styles.
 */
export function sanitise(html: string, sign: string, context: RenderContext): string {
  return sanitizeHtml(html, {
    ...allowed,
    transformTags: {
      '*': (tagName, { [ownAttribute]: mark, ...attribs }) => ({
        tagName,
        attribs: mark === sign ? attribs : foreignAttributes(tagName, attribs, context),
      }),
    },
  })
}

/** What is left of attributes that somebody wrote, or that Markdown itself gives. */
function foreignAttributes(tag: string, given: Attributes, context: RenderContext): Attributes {
  switch (tag) {
    case 'a':
      return linkAttributes(given, context)
    case 'img':
      return imageAttributes(given, context)
    case 'input':
      return checkbox('checked' in given)
    case 'code':
      return only(given, 'class', /^language-\S+$/)
    case 'ol':
      return only(given, 'start', /^\d+$/)
    case 'details':
      return 'open' in given ? { open: '' } : {}
    case 'td':
    case 'th':
      return {
        ...only(given, 'align', new RegExp(`^(?:${alignments.join('|')})$`)),
        ...only(given, 'colspan', /^\d{1,4}$/),
        ...only(given, 'rowspan', /^\d{1,4}$/),
      }
    default:
      return {}
  }
}

export function imageAttributes(given: Attributes, context: RenderContext): Attributes {
  const src = given.src === undefined ? undefined : resolveAddress(given.src, context, 'raw')
  return {
    ...(src !== undefined && { src }),
    ...(given.alt !== undefined && { alt: given.alt }),
    ...(given.title !== undefined && { title: given.title }),
    ...only(given, 'width', /^\d{1,5}%?$/),
    ...only(given, 'height', /^\d{1,5}%?$/),
  }
}

/** The boxes of task lists; whatever else somebody writes becomes one as well. */
function checkbox(checked: boolean): Attributes {
  return {
    type: 'checkbox',
    class: 'task-list-item-checkbox',
    disabled: '',
    ...(checked && { checked: '' }),
  }
}

function only(given: Attributes, name: string, form: RegExp): Attributes {
  const value = given[name]
  return value !== undefined && form.test(value) ? { [name]: value } : {}
}
