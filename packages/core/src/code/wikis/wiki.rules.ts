import { tooLong } from '../../platform/text/length.rules.ts'
import { baseName, normalizePath } from '../repositories/tree-path.rules.ts'

/** The markup languages of wiki pages. */
export const wikiFormats = ['markdown', 'rdoc', 'asciidoc'] as const
export type WikiFormat = (typeof wikiFormats)[number]

/** The extensions of page files, in lower case; new files have the first one of their format. */
const extensions = {
  markdown: ['md', 'markdown', 'mkd', 'mkdn', 'mdown'],
  rdoc: ['rdoc'],
  asciidoc: ['asciidoc', 'adoc'],
} as const satisfies Record<WikiFormat, readonly [string, ...string[]]>

const formats: ReadonlyMap<string, WikiFormat> = new Map(
  wikiFormats.flatMap((format) => extensions[format].map((name) => [name, format] as const)),
)

/** A page of a wiki, as the path of its file tells it. */
export interface WikiFile {
  /** Relative to the root of the wiki's repository. */
  path: string
  /** What addresses the page: its path without extension, with hyphens for the blanks of its name. */
  slug: string
  /** The name without its folders, with blanks for hyphens. */
  title: string
  format: WikiFormat
}

/** Attachments, which are no pages whatever their names. */
const attachment = /^uploads\/[0-9a-f]{32}\//

/** What a name that isn't UTF-8 is shown with: nothing could address it. */
const replacement = '\ufffd'

/** The page that a file is; undefined for files that are none. */
export function wikiFileOf(path: string): WikiFile | undefined {
  const name = baseName(path)
  const dot = name.lastIndexOf('.')
  const format = dot > 0 ? formats.get(name.slice(dot + 1).toLowerCase()) : undefined
  if (format === undefined || attachment.test(path) || path.includes(replacement)) return undefined
  const folder = path.slice(0, path.length - name.length)
  const slug = folder + name.slice(0, dot).replace(/\s/g, '-')
  return { path, slug, title: wikiTitle(slug), format }
}

/** The title of a page: `guides/first-steps` → `first steps`. */
function wikiTitle(slug: string): string {
  return baseName(slug).replaceAll('-', ' ')
}

/** The folder of a page, '' for the root. */
export function wikiFolder(slug: string): string {
  return slug.slice(0, Math.max(0, slug.lastIndexOf('/')))
}

/** The path of the file of a page that is written. */
function wikiPath(slug: string, format: WikiFormat): string {
  return `${slug}.${extensions[format][0]}`
}

/** The paths at which most pages are; a push may have spelled others differently. */
export function usualWikiPaths(slug: string): string[] {
  return [...formats.keys()].map((extension) => `${slug}.${extension}`)
}

/** Compares two files of the same slug, of which the first is the page: by format, then by path. */
export function compareWikiFiles(one: WikiFile, other: WikiFile): number {
  const order = wikiFormats.indexOf(one.format) - wikiFormats.indexOf(other.format)
  return order || (one.path < other.path ? -1 : 1)
}

/** Maximum length of the name of a page's file, in bytes: that of file systems. */
const maxNameBytes = 255
/** Maximum length of titles with their folders, in characters. */
export const maxWikiTitleLength = 1024

/** The slug that a title asks for, or what is wrong with the title. */
export type TitledSlug = { slug: string } | { error: string }

/**
 * Turns a title into a slug: blanks become hyphens, folders and case are kept. A title without a
 * slash stays in `folder`; a leading slash leads to the root.
 */
export function wikiSlugOf(title: string, folder = ''): TitledSlug {
  if (title.trim() === '') return { error: "can't be blank" }
  if (title.length > maxWikiTitleLength) return { error: tooLong(maxWikiTitleLength) }
  const path = title.split('/').map(hyphenate).join('/')
  const isRelative = !path.includes('/') && folder !== ''
  const slug = normalizePath(isRelative ? `${folder}/${path}` : path)
  if (slug === undefined || slug === '') return { error: 'is invalid' }
  if (attachment.test(`${slug}/`)) return { error: 'is reserved for attachments' }
  return { slug }
}

/** The file that a slug and a format ask for, or what is wrong with its name. */
export function newWikiFile(slug: string, format: WikiFormat): WikiFile | { error: string } {
  const path = wikiPath(slug, format)
  if (path.split('/').some((name) => utf8Length(name) > maxNameBytes)) {
    return { error: `is too long (maximum is ${maxNameBytes} bytes for each part)` }
  }
  const file = wikiFileOf(path)
  // Others could not be found again.
  return file?.slug === slug ? file : { error: 'is invalid' }
}

function hyphenate(part: string): string {
  return part.trim().replace(/\s+/g, '-')
}

const encoder = new TextEncoder()

function utf8Length(text: string): number {
  return encoder.encode(text).length
}

const wikiSuffix = '.wiki'

/** The path of the project whose wiki a path names: `<project>.wiki`; undefined for others. */
export function wikiOwnerPath(path: string): string | undefined {
  return path.endsWith(wikiSuffix) ? path.slice(0, -wikiSuffix.length) : undefined
}
