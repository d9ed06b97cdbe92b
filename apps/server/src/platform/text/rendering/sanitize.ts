import sanitizeHtml, { type Attributes, type IOptions } from 'sanitize-html'
import { linkAttributes, resolveAddress } from './links.ts'
import type { RenderContext } from './render-context.ts'

const text =
  'a abbr b br cite code del dfn em gl-emoji i ins kbd mark q s samp small span strike strong sub sup tt u var'
const blocks =
  'blockquote details div dd dl dt h1 h2 h3 h4 h5 h6 hr img input li ol p pre section summary ul'
const tables = 'caption table tbody td tfoot th thead tr'

/** Elements whose content is removed with them. */
const droppedElements =
  'iframe noembed noframes noscript option plaintext script style textarea title xmp'

/** Maximum nesting, beyond which browsers become slow. */
const maxNesting = 100

/** Carries the nonce that distinguishes the renderer's elements from those of raw HTML. */
export const ownAttribute = 'data-own'

/**
 * The allow-list of rendered HTML: no scripts, frames, forms or SVG, and no URLs except web and
 * mail. Raw HTML is allowed fewer attributes still.
 */
const allowed: IOptions = {
  allowedTags: `${text} ${blocks} ${tables}`.split(' '),
  nonTextTags: droppedElements.split(' '),
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
 * Removes everything from HTML that is not allowed on a page. Elements with `data-own="<nonce>"`
 * are the renderer's and keep their ids, classes and styles.
 */
export function sanitize(html: string, nonce: string, context: RenderContext): string {
  return sanitizeHtml(html, {
    ...allowed,
    transformTags: {
      '*': (tagName, { [ownAttribute]: mark, ...attribs }) => ({
        tagName,
        attribs: mark === nonce ? attribs : filterAttributes(tagName, attribs, context),
      }),
    },
  })
}

/** Filters the attributes of raw HTML, and those of Markdown itself. */
function filterAttributes(tag: string, given: Attributes, context: RenderContext): Attributes {
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
        ...only(given, 'align', /^(?:left|right|center)$/),
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

/** The checkbox of a task list; any other input in raw HTML becomes one as well. */
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
