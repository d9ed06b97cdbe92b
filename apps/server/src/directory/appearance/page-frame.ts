import { hash } from 'node:crypto'
import { listActiveBroadcastMessages } from '@stithy/store'
import { type Frame, Html, html } from '@stithy/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { Banner } from '../../platform/text/banner.ts'
import { readMarkdown } from '../../platform/text/markdown.ts'
import { appearanceFilePath, messageOf } from './appearance.presenter.ts'
import { loadAppearance } from './appearance.service.ts'

/** What administrators put around every page. */
interface PageFrame {
  headerLogo: string | null
  favicon: string | null
  above: readonly Banner[]
  below: readonly Banner[]
}

/** The frame of pages that come before anything can be looked up, such as some errors. */
const plainFrame: PageFrame = { headerLogo: null, favicon: null, above: [], below: [] }

/** At most this many broadcast messages are shown at once. */
const maxMessages = 10

const frames = new WeakMap<FastifyRequest, PageFrame>()

/** Looks up the frame of each page before its handler runs; two queries. */
export function findPageFrames(scope: FastifyInstance, app: App): void {
  scope.addHook('preHandler', (request) => loadPageFrame(app, request))
}

/** Looks up the frame of one page; two queries. */
export async function loadPageFrame(app: App, request: FastifyRequest): Promise<void> {
  frames.set(request, await loadFrame(app))
}

/** What stands around the page that is sent. */
export function frameOf({ request }: FastifyReply): Frame & { style: string } {
  const frame = frames.get(request) ?? plainFrame
  return {
    above: bannersAbove(frame),
    below: bannersBelow(frame),
    headerLogo: frame.headerLogo,
    favicon: frame.favicon,
    style: frameStyle(frame),
  }
}

async function loadFrame(app: App): Promise<PageFrame> {
  const row = await loadAppearance(app.db)
  const active = await listActiveBroadcastMessages(app.db, { now: app.now(), limit: maxMessages })
  const broadcasts = active.map(({ message, color, font }) => {
    return { text: message, background: color, color: font }
  })
  return {
    headerLogo: appearanceFilePath('header_logo', row.headerLogo),
    favicon: appearanceFilePath('favicon', row.favicon),
    above: [...present(messageOf(row, row.headerMessage)), ...broadcasts],
    below: present(messageOf(row, row.footerMessage)),
  }
}

function present(banner: Banner | undefined): Banner[] {
  return banner === undefined ? [] : [banner]
}

/** The style of a frame's banners; empty without any. */
function frameStyle({ above, below }: PageFrame): string {
  const banners = [...above, ...below]
  return banners
    .map(({ background, color }, at) => `.banner-${at}{background:${background};color:${color}}`)
    .join('')
}

/** The source of that style for a content security policy, with a space before it. */
export function frameStyleSource(style: string): string {
  return style === '' ? '' : ` 'sha256-${hash('sha256', style, 'base64')}'`
}

/** The banners above a page. */
function bannersAbove({ above }: PageFrame): Html[] {
  return above.map((banner, at) => bannerText(banner, at))
}

/** The banners below a page. */
function bannersBelow({ above, below }: PageFrame): Html[] {
  return below.map((banner, at) => bannerText(banner, above.length + at))
}

function bannerText({ text }: Banner, at: number): Html {
  return html`<p class="banner banner-${at}">${text}</p>`
}

/** What the sign-in page shows of the appearance; undefined for nothing. One query. */
export async function signInIntroduction(app: App): Promise<Html | undefined> {
  const { title, description, logo } = await loadAppearance(app.db)
  const picture = appearanceFilePath('logo', logo)
  const read = await readMarkdown(description, { gfm: false, webUrl: app.config.externalUrl })
  const text = await read.finish(new Map())
  if (title === '' && text === '' && picture === null) return undefined
  return html`<section class="introduction">
${picture !== null && html`<img src="${picture}" alt="">`}
${title !== '' && html`<h2>${title}</h2>`}
${new Html(text)}
</section>`
}
