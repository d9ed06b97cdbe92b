import { type Theme, themeOf } from '@stithy/core'
import { avatar } from '../design/avatar.ts'
import { csrfField } from '../design/form-fields.ts'
import { icon, symbolPrefix } from '../design/icon.ts'
import { type IconName, iconPaths } from '../design/icon-paths.ts'
import { menu, tabs } from '../design/navigation.ts'
import { Html, html } from '../html/html.ts'
import type { PageCall } from '../pages/page-call.ts'
import type { LiveSubject, PageReply } from '../pages/reply.ts'
import { address } from '../text/addresses.ts'

/** What the host puts around every page: banners, and the pictures of the instance. */
export interface Frame {
  above?: readonly Html[]
  below?: readonly Html[]
  headerLogo?: string | null
  favicon?: string | null
  /** The text of the only style element, whose hash the policy has. */
  style?: string
}

/** The request for a page, as far as what stands around it depends on it. */
export type Visit = Pick<PageCall, 'address' | 'query' | 'csrfToken'>

/** Who looks at a page, as far as what stands around it shows it. */
export interface SiteUser {
  name: string
  username: string
  avatar_url?: string | null
  theme_id: number
  is_admin?: boolean
}

interface Document {
  reply: PageReply
  call: Visit
  viewer: SiteUser | null
  frame: Frame
  stylesheetPath: string
  /** Of the icon, unless the frame has one. */
  iconPath: string
  /** Pages with secrets have no script, and their policy allows none. */
  scriptPath?: string
}

/** A whole page. */
export function renderDocument(document: Document): string {
  const { text } = renderBody(document)
  const { reply, frame, call, viewer, stylesheetPath, iconPath, scriptPath } = document
  const head = html`<!doctype html>
<html lang="en"${themeAttribute(reply.theme ?? preferredTheme(viewer))}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${call.csrfToken !== '' && html`<meta name="csrf-token" content="${call.csrfToken}">`}
${reply.reloadAfter !== undefined && html`<meta http-equiv="refresh" content="${reply.reloadAfter}">`}
<title>${(reply.status ?? 200) >= 400 && 'Error: '}${reply.title} · Stithy</title>
<link rel="stylesheet" href="${stylesheetPath}">
${scriptPath !== undefined && html`<script type="module" src="${scriptPath}"></script>`}
<link rel="icon" href="${frame.favicon ?? iconPath}">
${frame.style && html`<style>${frame.style}</style>`}
</head>
`
  return `${head.text}${text}${sprite(text)}</body>\n</html>\n`
}

function preferredTheme(viewer: SiteUser | null): Theme {
  return viewer === null ? 'auto' : themeOf(viewer.theme_id)
}

/** Colours other than those of the browser. */
function themeAttribute(theme: Theme): Html | undefined {
  return theme === 'auto' ? undefined : html` data-theme="${theme}"`
}

function renderBody({ reply, call, viewer, frame }: Document): Html {
  const { place, live } = reply
  return html`<body>
<a class="skip" href="#main">Skip to the content</a>
${[...(frame.above ?? [])]}
${siteHeader(call, viewer, frame)}
${place && html`<section class="place" aria-label="${place.label} header">${place.header}${tabs(place.label, place.tabs)}</section>`}
<main id="main" tabindex="-1"${place?.project !== undefined && html` data-project="${place.project}"`}${place?.group !== undefined && html` data-group="${place.group}"`}${live && liveAttributes(live)}>
${reply.body}
</main>
${[...(frame.below ?? [])]}
`
}

function liveAttributes({ stream, updatedAt, address: page, fields }: LiveSubject): Html {
  const shown = fields && html` data-fields="${JSON.stringify(fields)}"`
  return html` data-stream="${stream}" data-updated-at="${updatedAt}" data-page="${page}"${shown}`
}

function siteHeader(call: Visit, viewer: SiteUser | null, { headerLogo }: Frame): Html {
  const search = call.query.get('search') ?? ''
  return html`<header class="site">
<a class="brand" href="/">${headerLogo ? html`<img src="${headerLogo}" alt="Stithy">` : 'Stithy'}</a>
<nav aria-label="Main"><ul>${viewer === null ? visitorLinks : userLinks}</ul></nav>
<form class="find" action="/search" role="search"><input type="search" name="search" value="${call.address.startsWith('/search') && search}" aria-label="Search everything" placeholder="Search" data-key="/"></form>
${viewer === null ? html`<a class="button" href="/users/sign_in">Sign in</a>` : accountMenus(call, viewer)}
</header>`
}

const link = (href: string, text: string) => html`<li><a href="${href}">${text}</a></li>`

const visitorLinks = [link('/explore', 'Explore')]

const userLinks = [
  link('/projects', 'Projects'),
  link('/dashboard/groups', 'Groups'),
  link('/dashboard/issues', 'Issues'),
  link('/dashboard/merge_requests', 'Merge requests'),
  link('/explore', 'Explore'),
]

function accountMenus(call: Visit, viewer: SiteUser): Html {
  const isAdmin = viewer.is_admin === true
  return html`<a class="button quiet" href="/dashboard/todos">${icon('bell', 'To-do list')}</a>
${menu({
  summary: icon('plus'),
  label: 'New',
  items: [
    html`<a href="/projects/new">New project</a>`,
    html`<a href="/groups/new">New group</a>`,
    html`<a href="/snippets/new">New snippet</a>`,
  ],
})}
${menu({
  summary: avatar(viewer),
  label: `Account of ${viewer.name}`,
  look: 'plain',
  items: [
    html`<a href="${address(viewer.username)}">${viewer.name}</a>`,
    html`<a href="/dashboard/snippets">Snippets</a>`,
    html`<a href="/-/profile">Settings</a>`,
    ...(isAdmin ? [html`<a href="/admin">Administration</a>`] : []),
    html`<form method="post" action="/users/sign_out">${csrfField(call)}<button>Sign out</button></form>`,
  ],
})}`
}

/** The symbols of the icons that a page uses, once each. */
function sprite(text: string): string {
  const names = new Set<string>()
  const start = `href="#${symbolPrefix}`
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    const from = at + start.length
    names.add(text.slice(from, text.indexOf('"', from)))
  }
  const symbols = [...names].filter(isIcon).map((name) => new Html(symbolOf(name)))
  return html`<svg hidden>${symbols}</svg>\n`.text
}

function isIcon(name: string): name is IconName {
  return Object.hasOwn(iconPaths, name)
}

function symbolOf(name: IconName): string {
  return `<symbol id="${symbolPrefix}${name}" viewBox="0 0 16 16">${iconPaths[name]}</symbol>`
}
